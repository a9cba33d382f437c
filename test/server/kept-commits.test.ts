import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueueDueHousekeeping } from '../../schema/repository/housekeeping.ts';
import { openQueue } from '../../server/jobs/queue.ts';
import { commit, git, tryGit, workTree } from '../support/git.ts';
import { ageUnreachableObjects } from '../support/unreachable-objects.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, databaseUrl, dataFolder, remote } = await world({
  settings: { defaultBranchProtection: 0 },
});
const queue = await openQueue(databaseUrl, { onError: () => {} });
afterAll(() => queue.stop());
const keptRef = 'refs/kept-commits/recorded';
const day = 86_400_000;

let work: string;
let id: number;
let folder: string;
beforeAll(async () => {
  work = await workTree({ 'a.txt': 'a\n' });
  ({ id } = await seed.project('root/app'));
  await push('master');
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  folder = join(dataFolder, 'repositories', `${diskPath}.git`);
});
afterAll(() => rm(work, { recursive: true }));

const push = (...refs: readonly string[]) =>
  git(work, 'push', '--quiet', '--force', remote('root/app', root), ...refs);

/** Pushes a branch with a commit of its own, and gives the commit. */
async function branch(name: string): Promise<string> {
  await git(work, 'checkout', '--quiet', '-B', name, 'master');
  const sha = await commit(work, { [name]: `${name}\n` }, `Add ${name}`);
  await push(name);
  return sha;
}

const statusOf = async (sha: string) =>
  (await as(root).get(`/projects/${id}/repository/commits/${sha}`)).status;

/** Waits until no job about the repository is left. */
const jobsDone = () =>
  expect
    .poll(async () => {
      const [row] = await db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int AS count FROM pgboss.job
        WHERE state < 'completed' AND name IN ('refresh-statistics', 'housekeep-project')`;
      return row.count;
    })
    .toBe(0);

/** Runs housekeeping, though it ran within the hour. */
async function housekeep(): Promise<void> {
  await db.project.update({ where: { id }, data: { housekeepingAt: null } });
  expect((await as(root).post(`/projects/${id}/housekeeping`)).status).toBe(201);
  await jobsDone();
}

const isThere = async (name: string) => (await tryGit(folder, 'cat-file', '-e', name)).code === 0;

test('commits with comments or pipelines stay after force pushes and deletions, others do not', async () => {
  const names = ['commented', 'built', 'tagged', 'plain'] as const;
  const [commented = '', built = '', tagged = '', plain = ''] = [
    await branch(names[0]),
    await branch(names[1]),
    await branch(names[2]),
    await branch(names[3]),
  ];
  await push(`${tagged}:refs/tags/v1`, ':tagged');
  const comment = (sha: string) =>
    as(root).post(`/projects/${id}/repository/commits/${sha}/comments`, { note: 'Why?' });
  const status = { state: 'success', ref: 'built' };
  for (const { status: code } of [
    await comment(commented),
    await comment(tagged),
    await as(root).post(`/projects/${id}/statuses/${built}`, status),
  ])
    expect(code).toBe(201);
  await push('master:commented', ':built', ':plain', ':refs/tags/v1');
  await jobsDone();
  await git(folder, 'gc', '--quiet', '--prune=now');
  const statuses = await Promise.all([commented, built, tagged, plain].map(statusOf));
  expect(statuses).toEqual([200, 200, 200, 404]);
  expect(await git(work, 'ls-remote', remote('root/app', root))).not.toContain('kept-commits');
  const pushed = await tryGit(work, 'push', remote('root/app', root), `:${keptRef}`);
  expect(pushed.stderr).toContain('deny');
  await git(folder, 'fsck', '--full');
});

test('commits are released with their records by the next housekeeping', async () => {
  await db.commitComment.deleteMany({ where: { projectId: id } });
  await housekeep();
  expect(await isThere(keptRef)).toBe(true);
  await db.commitStatus.deleteMany({ where: { projectId: id } });
  await db.pipeline.deleteMany({ where: { projectId: id } });
  await housekeep();
  expect(await isThere(keptRef)).toBe(false);
});

test('housekeeping deletes old objects two weeks after no branch had them, and runs then', async () => {
  const sha = await branch('late');
  const then = new Date(Date.now() - 20 * day);
  for (const name of await readdir(join(folder, 'objects'), { recursive: true }))
    if (/^[0-9a-f]{2}\/|^pack\/.*\.pack$/.test(name)) {
      await utimes(join(folder, 'objects', name), then, then);
    }
  await push(':late');
  await jobsDone();
  const dueAt = async () =>
    (await db.housekeepingDue.findUnique({ where: { projectId: id } }))?.dueAt;
  expect(await dueAt()).toBeDefined();
  await housekeep();
  expect(await statusOf(sha)).toBe(200);
  const afterDays = (((await dueAt())?.getTime() ?? 0) - Date.now()) / day;
  expect(afterDays).toBeGreaterThan(14);

  await ageUnreachableObjects(folder, 15);
  const data = { dueAt: new Date(Date.now() - 1) };
  await db.housekeepingDue.update({ where: { projectId: id }, data });
  await db.project.update({ where: { id }, data: { housekeepingAt: null } });
  await enqueueDueHousekeeping({ db, jobs: queue });
  await jobsDone();
  // requests may still read a pack that git has deleted
  expect(await isThere(sha)).toBe(false);
  expect(await dueAt()).toBeUndefined();
});

test('housekeeping removes the locks of a killed one', async () => {
  const locks = [join(folder, 'objects', 'maintenance.lock'), join(folder, 'gc.pid')];
  const then = new Date(Date.now() - 120_000);
  for (const lock of locks) {
    // as of another container: git would believe it for twelve hours
    await writeFile(lock, '1 elsewhere');
    await utimes(lock, then, then);
  }
  await branch('after-kill');
  await jobsDone();
  await housekeep();
  expect(await git(folder, 'count-objects')).toMatch(/^0 objects/);
});
