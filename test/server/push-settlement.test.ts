import { expect, test } from 'vitest';
import { startAnother } from '../support/server-here.ts';
import { world } from '../support/world.ts';

const { seed, db, databaseUrl, dataFolder } = await world();
const ada = await seed.user('ada');
await seed.group('acme');
const { id } = await seed.project('acme/app', { master: ada });
const sha = await seed.push('acme/app', { 'a.txt': 'a' });

const minute = 60_000;
const zeros = '0'.repeat(40);
const ago = (minutes: number) => new Date(Date.now() - minutes * minute);

/** An entry whose process died before it moved a reference; it never completes. */
const dead = (age: number, after = 'd'.repeat(40)) => ({
  projectId: id,
  userId: ada.id,
  changes: [{ ref: 'refs/heads/gone', before: zeros, after }],
  createdAt: ago(age),
  settleAt: ago(age - 1),
});

/** The jobs that settle pushes, by their state. */
const jobs = () => db.$queryRaw<{ state: string; count: number }[]>`
  SELECT state::text, count(*)::int FROM pgboss.job WHERE name = 'settle-push' GROUP BY state`;

/** Starts and stops a second server process. */
async function startOnce(): Promise<void> {
  const server = await startAnother({ MILLRACE_DATA: dataFolder, DATABASE_URL: databaseUrl });
  await server.stop();
}

test('entries without a moved reference neither delay others nor stay for long', async () => {
  await db.push.createMany({ data: Array.from({ length: 1_100 }, () => dead(5)) });
  await db.push.create({ data: dead(11) });
  await db.project.update({ where: { id }, data: { defaultBranch: null } });
  const live = await db.push.create({
    data: {
      projectId: id,
      userId: ada.id,
      changes: [{ ref: 'refs/heads/master', before: zeros, after: sha }],
      settleAt: ago(1),
    },
  });
  await startOnce();
  expect(await db.push.count({ where: { id: live.id } })).toBe(0);
  expect(await db.project.findUnique({ where: { id } })).toMatchObject({ defaultBranch: 'master' });
  // the entry older than ten minutes is deleted, the others are rechecked later
  expect(await db.push.count({ where: { projectId: id } })).toBe(1_100);
  expect(await db.push.count({ where: { settleAt: { lte: new Date() } } })).toBe(0);
  await db.push.deleteMany();
}, 120_000);

test('an entry of a dead process is settled by a job, not by the next start', async () => {
  await db.push.create({
    data: {
      projectId: id,
      userId: ada.id,
      changes: [{ ref: 'refs/heads/master', before: zeros, after: sha }],
      isSettling: true,
      settleAt: ago(1),
    },
  });
  await startOnce();
  // by whichever process takes the job, which it completes after the deletion of the entry
  await expect.poll(() => db.push.count()).toBe(0);
  await expect.poll(jobs).toEqual([{ state: 'completed', count: 1 }]);
});
