import { afterAll, expect, inject, test } from 'vitest';
import { connect } from '../../prisma/client.ts';
import type { JobKind, JobPayloads } from '../../schema/ports/jobs.ts';
import { jobKinds, kindNames } from '../../server/jobs/kinds.ts';
import { type JobHandlers, openQueue } from '../../server/jobs/queue.ts';
import { currentCaller } from '../../server/scheduling/scope.ts';
import { cloneDatabase } from '../support/database.ts';

const database = await cloneDatabase(inject('databaseUrl'));
const db = connect(database.url, { poolSize: 2 });
const queue = await openQueue(database.url, { onError: () => {} });
const held = Promise.withResolvers<void>();
afterAll(async () => {
  held.resolve();
  await queue.stop();
  await db.$disconnect();
  await database.drop();
});

interface Payload {
  readonly projectId: number;
  readonly sourceId: number;
  readonly userId: number;
  readonly hookId: number;
}

/** The kinds and projects of jobs that have started, and their callers. */
const started: (readonly [kind: JobKind, owner: number, caller: string | undefined])[] = [];
const handle = (kind: JobKind) => async (payload: object) => {
  const { projectId } = payload as Payload;
  started.push([kind, projectId, currentCaller()?.key]);
  if (projectId === 1) await held.promise;
};
const handlers = Object.fromEntries(
  kindNames.map((kind) => [kind, handle(kind)]),
) as unknown as JobHandlers;
await queue.work(handlers, { db, onDeadJob: async () => {} });

const payloadOf = (owner: number): Payload => ({
  projectId: owner,
  sourceId: owner,
  userId: owner,
  hookId: owner,
});
const enqueue = (kind: JobKind, owners: readonly number[]) =>
  db.$transaction((tx) =>
    queue.enqueueAll(
      kind,
      owners.map(payloadOf) as unknown as readonly JobPayloads[typeof kind][],
      tx,
    ),
  );

test.each(kindNames.filter((kind) => jobKinds[kind].group))(
  'jobs %s of one owner leave a worker to another',
  async (kind) => {
    await enqueue(kind, Array(20).fill(1));
    await expect.poll(() => started.some(([name]) => name === kind)).toBe(true);
    await enqueue(kind, [2]);
    await expect
      .poll(() => started.find(([name, owner]) => name === kind && owner === 2))
      .toEqual([kind, 2, 'project 2']);
  },
);

test('the kinds of jobs that read the repository of a project for long have owners', () => {
  const reading: readonly JobKind[] = [
    'refresh-statistics',
    'fork-project',
    'import-project',
    'link-merged-objects',
    'record-merge-request-commits',
    'follow-push',
    'rebase-merge-request',
    'apply-push-options',
    'make-pipelines',
    'pipeline-ended',
    'run-schedule',
  ];
  expect(reading.filter((kind) => !jobKinds[kind].group)).toEqual([]);
});
