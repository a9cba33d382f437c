import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession, type Session } from '../../../prisma/client.ts';
import { world } from '../../support/world.ts';

const { as, seed, root, url, db, databaseUrl } = await world({
  limits: { database: { waitLimit: 400, deadAfter: 900 } },
});
const ada = await seed.user('ada');
// young accounts of one address are one caller
await db.user.update({ where: { id: ada.id }, data: { createdAt: new Date('2020-01-01') } });
const project = await seed.project('root/app', { reporter: ada });
await as(root).post(`/projects/${project.id}/labels`, { name: 'bug', color: '#ff0000' });

/** Holds what each COMMIT of an issue waits for, as for a disk or a standby. */
let holder: Session;
beforeAll(async () => {
  await db.$executeRaw`
    CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$`;
  await db.$executeRaw`
    CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON issues DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`;
  holder = await openSession(databaseUrl);
  await holder.query('SELECT pg_advisory_lock(4711)');
});
afterAll(() => holder.end());

const statuses = new Map<string, number>();
const write = async (title: string) => {
  const issue = { title, labels: 'bug' };
  const { status } = await as(root).post(`/projects/${project.id}/issues`, issue);
  statuses.set(title, status);
  return status;
};
const readiness = async () => (await fetch(`${url}/-/readiness`)).status;

/** Connections of the server that wait for COMMIT, or for a row that such a transaction holds. */
const waitingWriters = async () => {
  const [row] = await db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return row.count;
};

test('while no COMMIT is answered, readers are served, writers get 503, and readiness fails', async () => {
  const writers = Promise.all(Array.from({ length: 25 }, (_, index) => write(`issue ${index}`)));
  // a caller's share of those that may write
  await expect.poll(waitingWriters).toBe(4);
  const reads = Array.from({ length: 10 }, () => as(ada).get(`/projects/${project.id}/issues`));
  expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));

  await expect.poll(readiness).toBe(503);
  await expect.poll(() => write('late')).toBe(503);
  expect((await fetch(`${url}/-/liveness`)).status).toBe(200);

  await holder.query('SELECT pg_advisory_unlock(4711)');
  await writers;
  await expect.poll(readiness).toBe(200);
  expect(await write('after')).toBe(201);
  const { body } = await as(root).get(`/projects/${project.id}/issues?per_page=100`);
  const titles = (body as { title: string }[]).map(({ title }) => title);
  const acknowledged = [...statuses].filter(([, status]) => status === 201).map(([title]) => title);
  expect(acknowledged.length).toBeGreaterThanOrEqual(5);
  expect(titles).toEqual(expect.arrayContaining(acknowledged));
  expect(new Set(statuses.values())).toEqual(new Set([201, 503]));
});
