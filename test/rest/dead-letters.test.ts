import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { graphqlClientOf, refusal } from '../support/graphql.ts';
import { instant } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { seed, db, root, url, as } = await world();
const graphql = graphqlClientOf(url);
const ada = await seed.user('ada');
await seed.group('acme');
const { id: projectId } = await seed.project('acme/app', { master: ada });

const createDeadLetter = (overrides: object = {}) =>
  db.deadLetter.create({
    data: {
      jobId: randomUUID(),
      kind: 'refresh-statistics',
      payload: { projectId },
      attempts: 13,
      error: 'the disk is full',
      isFatal: false,
      projectId,
      enqueuedAt: new Date(),
      ...overrides,
    },
  });

const list = `query ($kind: BackgroundJobKind) { admin { deadLetters(filter: { kind: $kind }) { total nodes {
  id kind payload attempts error isFatal enqueuedAt failedAt
  project { fullPath } user { username } mergeRequest { iid } } } } }`;
const retry = 'mutation ($id: ID!) { retryDeadLetter(input: { id: $id }) { id } }';
const discard = 'mutation ($id: ID!) { deleteDeadLetter(input: { id: $id }) { id } }';

test('administrators see failed jobs and their records', async () => {
  const { id } = await createDeadLetter({ userId: ada.id });
  await createDeadLetter({ kind: 'housekeep-project', projectId: null, isFatal: true });
  const { body } = await graphql(root, list, { kind: 'REFRESH_STATISTICS' });
  expect(body.data).toEqual({
    admin: {
      deadLetters: {
        total: 1,
        nodes: [
          {
            id: `DeadLetter:${id}`,
            kind: 'REFRESH_STATISTICS',
            payload: JSON.stringify({ projectId }),
            attempts: 13,
            error: 'the disk is full',
            isFatal: false,
            enqueuedAt: instant,
            failedAt: instant,
            project: { fullPath: 'acme/app' },
            user: { username: 'ada' },
            mergeRequest: null,
          },
        ],
      },
    },
  });
  expect((await graphql(root, list)).body.data).toMatchObject({
    admin: { deadLetters: { total: 2 } },
  });
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  expect(metrics).toMatch(/^millrace_dead_letters\{kind="housekeep-project"\} 1$/m);
  await db.deadLetter.deleteMany();
});

test('other users and anonymous users can neither list, retry nor discard', async () => {
  const { id } = await createDeadLetter();
  for (const user of [ada, null]) {
    expect((await graphql(user, list)).body).toEqual({ data: { admin: null } });
  }
  for (const document of [retry, discard]) {
    expect(await graphql(ada, document, { id })).toEqual(refusal('FORBIDDEN', 'Forbidden'));
    expect(await graphql(null, document, { id })).toEqual(
      refusal('UNAUTHENTICATED', 'Unauthorized'),
    );
  }
  expect(await db.deadLetter.count()).toBe(1);
  await db.deadLetter.deleteMany();
});

test('a dead letter is retried once and deleted', async () => {
  await db.projectStatistics.update({ where: { projectId }, data: { commitCount: 99 } });
  const { id } = await createDeadLetter();
  const responses = await Promise.all([graphql(root, retry, { id }), graphql(root, retry, { id })]);
  expect(responses.filter(({ body }) => body.data?.retryDeadLetter !== null)).toHaveLength(1);
  expect(await db.deadLetter.count()).toBe(0);
  const counted = async () =>
    (await db.projectStatistics.findUniqueOrThrow({ where: { projectId } })).commitCount;
  await expect.poll(counted).toBe(0n);
  expect(await graphql(root, retry, { id })).toEqual(refusal('NOT_FOUND', 'Dead letter Not Found'));
});

test('an import without a stored source cannot be retried', async () => {
  const { id } = await createDeadLetter({ kind: 'import-project' });
  expect(await graphql(root, retry, { id })).toEqual(
    refusal('CONFLICT', 'The source of this import is not kept: import it again'),
  );
  expect((await graphql(root, discard, { id })).body.data).toEqual({
    deleteDeadLetter: { id: `DeadLetter:${id}` },
  });
  expect(await db.deadLetter.count()).toBe(0);
});

test('removing the project keeps the dead letter without it', async () => {
  await createDeadLetter();
  await as(root).delete(`/projects/${projectId}`);
  await expect.poll(() => db.project.count({ where: { id: projectId } })).toBe(0);
  expect(await db.deadLetter.findMany()).toMatchObject([{ projectId: null }]);
});
