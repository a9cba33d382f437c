import { afterAll, expect, inject, test } from 'vitest';
import { connect } from '../../prisma/client.ts';
import type { DeadJob } from '../../schema/ports/jobs.ts';
import { openQueue } from '../../server/jobs/queue.ts';
import type { JobHandlers } from '../../server/jobs/work.ts';
import { cloneDatabase } from '../support/database.ts';

const database = await cloneDatabase(inject('databaseUrl'));
const db = connect(database.url, { poolSize: 2 });
const errors: Error[] = [];
const queue = await openQueue(database.url, { onError: (error) => errors.push(error) });
afterAll(async () => {
  await queue.stop();
  await db.$disconnect();
  await database.drop();
});

/** The projects whose removal was started, in order; the third fails at first. */
const started: number[] = [];
const dead: DeadJob[] = [];
const nothing = async () => undefined;
const handlers: JobHandlers = {
  'remove-project': async ({ projectId }) => {
    const isFirst = !started.includes(projectId);
    started.push(projectId);
    if (projectId === 3 && isFirst) throw new Error('refused');
  },
  'remove-namespace': nothing,
  'remove-uploads': nothing,
  'refresh-statistics': async () => {
    throw new Error('the disk is full');
  },
  'import-project': nothing,
  'give-up-arrival': nothing,
  'link-merged-objects': nothing,
  'record-merge-request-commits': nothing,
  'housekeep-project': nothing,
  'pack-project': nothing,
  'fork-project': nothing,
  'follow-push': nothing,
  'make-pipelines': nothing,
  'run-schedule': nothing,
  'pipeline-ended': nothing,
  'sweep-job-files': nothing,
  'deliver-hook': nothing,
  'apply-push-options': nothing,
  'settle-push': nothing,
  'settle-push-step': nothing,
  'rebase-merge-request': nothing,
  'settle-merge': nothing,
};
const ids = (first: number) => Array.from({ length: 20 }, (_, index) => first + index);
const enqueue = (projects: readonly number[]) =>
  db.$transaction(async (tx) => {
    for (const projectId of projects) await queue.enqueue('remove-project', { projectId }, tx);
  });
const allOf = (projects: readonly number[]) =>
  expect.poll(() => projects.every((id) => started.includes(id))).toBe(true);

test('pending jobs run one after another, each independently', async () => {
  await enqueue(ids(1));
  await queue.work(handlers, { db, onDeadJob: async (job) => void dead.push(job) });
  await allOf(ids(1));
  await enqueue(ids(101));
  await allOf(ids(101));
  // only the failed one is retried
  await expect.poll(() => started.length).toBe(41);
  expect(started.filter((id) => id === 3)).toEqual([3, 3]);
  expect(errors).toEqual([]);
});

test('a job without retries left is reported as dead, with its error', async () => {
  await db.$transaction(async (tx) => {
    await queue.enqueue('refresh-statistics', { projectId: 5 }, tx);
    await tx.$executeRaw`UPDATE pgboss.job SET retry_limit = 0 WHERE name = 'refresh-statistics'`;
  });
  await expect
    .poll(() => dead)
    .toMatchObject([
      {
        kind: 'refresh-statistics',
        payload: { projectId: 5 },
        attempts: 1,
        error: 'the disk is full',
        isFatal: false,
      },
    ]);
  expect(errors).toEqual([]);
});
