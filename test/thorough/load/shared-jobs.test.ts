import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { connect } from '../../../prisma/client.ts';
import type { JobKind, JobPayloads } from '../../../schema/ports/jobs.ts';
import { kindNames } from '../../../server/jobs/kinds.ts';
import { openQueue } from '../../../server/jobs/queue.ts';
import type { JobHandlers } from '../../../server/jobs/work.ts';
import { callerOf } from '../../../server/scheduling/caller.ts';
import { currentCaller, runAs } from '../../../server/scheduling/scope.ts';
import { cloneDatabase } from '../../support/database.ts';

const database = await cloneDatabase(inject('databaseUrl'));
const db = connect(database.url, { poolSize: 2 });
const queue = await openQueue(database.url, { onError: () => {} });
const ofProject = Promise.withResolvers<void>();
const ofUser = Promise.withResolvers<void>();
afterAll(async () => {
  ofUser.resolve();
  await queue.stop();
  await db.$disconnect();
  await database.drop();
});

interface Payload {
  readonly projectId: number;
  readonly sourceId: number;
  readonly userId: number;
  readonly hookId: number;
  readonly namespaceId: number;
  readonly owner: { readonly kind: 'user'; readonly id: number };
  readonly pushId: string;
  readonly hasFailed: true;
  readonly mergeRequestId: number;
}

/** The kinds and projects of jobs that have started, and their callers. */
const started: (readonly [kind: JobKind, owner: number, caller: string | undefined])[] = [];
const handle = (kind: JobKind) => async (payload: object) => {
  const { projectId } = payload as Payload;
  started.push([kind, projectId, currentCaller()?.key]);
  if (projectId === 1) await ofProject.promise;
  if (projectId > 1_000) await ofUser.promise;
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
  namespaceId: owner,
  owner: { kind: 'user', id: owner },
  // unique
  pushId: randomUUID(),
  // otherwise it runs alone
  hasFailed: true,
  mergeRequestId: ++mergeRequests,
});
let mergeRequests = 0;
const enqueue = (kind: JobKind, owners: readonly number[]) =>
  db.$transaction((tx) =>
    queue.enqueueAll(
      kind,
      owners.map(payloadOf) as unknown as readonly JobPayloads[typeof kind][],
      tx,
    ),
  );

const startedKinds = (isMeant: (owner: number, caller: string | undefined) => boolean) => [
  ...new Set(started.filter(([, owner, caller]) => isMeant(owner, caller)).map(([kind]) => kind)),
];
const allKinds = [...kindNames].sort();
const enqueueAll = (owners: readonly number[]) =>
  Promise.all(kindNames.map((kind) => enqueue(kind, owners)));

describe('jobs of one project', () => {
  afterAll(() => ofProject.resolve());

  test('of each kind leave a worker to another project', async () => {
    await enqueueAll(Array(5).fill(1));
    await expect.poll(() => startedKinds((owner) => owner === 1).sort()).toEqual(allKinds);
    await enqueueAll([2]);
    await expect
      .poll(() => startedKinds((owner, caller) => owner === 2 && caller === 'project 2').sort())
      .toEqual(allKinds);
  });
});

describe('jobs that one user causes in many projects', () => {
  const userKey = (id: number) => `user ${id}`;
  const asUser = (id: number, work: () => Promise<unknown>) =>
    runAs(callerOf({ id, createdAt: new Date(0) }, '192.0.2.1'), work);
  const startedBy = (user: number) => startedKinds((_owner, caller) => caller === userKey(user));

  test('of each kind leave a worker to another user', async () => {
    const projects = Array.from({ length: 6 }, (_, index) => 1_001 + index);
    await asUser(1, () => enqueueAll(projects));
    await expect.poll(() => startedBy(1).sort()).toEqual(allKinds);
    await asUser(2, () => enqueueAll([3]));
    await expect.poll(() => startedBy(2).sort()).toEqual(allKinds);
    // those that were fetched beyond the share of the user were no attempts
    const attempts = await db.$queryRaw<unknown[]>`
      SELECT name FROM pgboss.job WHERE retry_count > 0`;
    expect(attempts).toEqual([]);
  });
});
