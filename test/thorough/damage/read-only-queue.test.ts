import { afterAll, beforeEach, expect, inject, test } from 'vitest';
import { connect } from '../../../prisma/client.ts';
import { writableChecks } from '../../../server/checks/writable.ts';
import { kindNames } from '../../../server/jobs/kinds.ts';
import { watchOutages } from '../../../server/jobs/outage-watch.ts';
import { openQueue } from '../../../server/jobs/queue.ts';
import type { JobHandlers } from '../../../server/jobs/work.ts';
import { cloneDatabase } from '../../support/database.ts';
import { administer, makeReadOnly } from '../../support/failing-database.ts';

/* The background queue while the database is read-only. */

const database = await cloneDatabase(inject('databaseUrl'));
const db = connect(database.url, { poolSize: 4 });
const errors: Error[] = [];
const queue = await openQueue(database.url, { onError: (error) => errors.push(error) });
const attempts: number[] = [];
let held = Promise.withResolvers<void>();
const handlers = Object.fromEntries(
  kindNames.map((kind) => [
    kind,
    async (_payload: object, { number }: { number: number }) => {
      attempts.push(number);
      await held.promise;
    },
  ]),
) as unknown as JobHandlers;
await queue.work(handlers, { db, onDeadJob: async () => {} });
afterAll(async () => {
  await queue.stop();
  await db.$disconnect();
  await database.drop();
});
beforeEach(() => {
  attempts.length = 0;
  errors.length = 0;
  held = Promise.withResolvers<void>();
});

/** The problems that doctor finds. */
async function doctor(): Promise<readonly string[]> {
  const problems = [];
  for (const { run } of writableChecks(database.url))
    for await (const { problem } of run()) problems.push(problem);
  return problems;
}

const projectId = 1;
const states = () =>
  administer(
    async (session) =>
      (
        await session.query<{ state: string; retries: number }>(
          'SELECT state::text, retry_count AS retries FROM pgboss.job ORDER BY created_on',
        )
      ).rows,
    database.url,
  );

test('a job that ends meanwhile is recorded as completed, once, and does not run again', async () => {
  await queue.enqueue('refresh-statistics', { projectId }, db);
  await expect.poll(() => attempts).toEqual([1]);
  const makeWritable = await makeReadOnly(database.url);
  held.resolve();
  await expect
    .poll(() => errors.map(({ message }) => message))
    .toContainEqual(expect.stringContaining('read-only'));
  expect(await states()).toEqual([{ state: 'active', retries: 0 }]);
  await makeWritable();
  await expect.poll(states).toEqual([{ state: 'completed', retries: 0 }]);
  expect(attempts).toEqual([1]);
});

test('the workers poll no more, report the reason once, and continue by themselves', async () => {
  const makeWritable = await makeReadOnly(database.url);
  const refusals = () => errors.filter(({ message }) => message.includes('read-only'));
  await expect.poll(refusals).toHaveLength(1);
  const sessions = async () =>
    administer(async (session) => {
      const { rows } = await session.query<{ count: number }>(
        `SELECT sessions::int AS count FROM pg_stat_database WHERE datname = $1`,
        [/\/(t_\w+)/.exec(database.url)?.[1]],
      );
      return rows[0]?.count ?? 0;
    });
  // reads of the queue are answered
  expect((await queue.unfinished()).length).toBe(kindNames.length);
  const before = await sessions();
  await expect
    .poll(async () => (await sessions()) - before, { timeout: 20_000 })
    .toBeGreaterThan(2);
  // one statement a second in place of each poll of each worker
  expect((await sessions()) - before).toBeLessThan(20);
  expect(refusals()).toHaveLength(1);
  await makeWritable();
  held.resolve();
  await queue.enqueue('housekeep-project', { projectId }, db);
  await expect.poll(() => attempts).toEqual([1]);
});

test('doctor names it, and the silence of runners counts only some time after it', async () => {
  const watch = watchOutages(db, { interval: 10, returnLimit: 300 });
  expect(watch.isOver()).toBe(false);
  await expect.poll(watch.isOver).toBe(true);
  const makeWritable = await makeReadOnly(database.url);
  await expect.poll(watch.isOver).toBe(false);
  expect(await doctor()).toEqual(['the database is read-only']);
  await makeWritable();
  expect(await doctor()).toEqual([]);
  await expect.poll(watch.isOver).toBe(true);
  await watch.stop();
});
