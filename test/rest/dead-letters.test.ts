import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { graphqlClientOf, refusal } from '../support/graphql.ts';
import { instant } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { seed, db, root, url, as } = await world();
const ask = graphqlClientOf(url);
const ada = await seed.user('ada');
await seed.group('acme');
const { id: projectId } = await seed.project('acme/app', { master: ada });

const deadLetter = (traits: object = {}) =>
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
      ...traits,
    },
  });

const list = `query ($kind: String) { deadLetters(kind: $kind) { total nodes {
  id kind payload attempts error isFatal enqueuedAt failedAt
  project { fullPath } user { username } mergeRequest { iid } } } }`;
const retry = 'mutation ($id: Int!) { retryDeadLetter(id: $id) }';
const discard = 'mutation ($id: Int!) { discardDeadLetter(id: $id) }';

test('administrators see what was given up and what it belongs to', async () => {
  const { id } = await deadLetter({ userId: ada.id });
  await deadLetter({ kind: 'housekeep-project', projectId: null, isFatal: true });
  const { body } = await ask(root, list, { kind: 'refresh-statistics' });
  expect(body.data).toEqual({
    deadLetters: {
      total: 1,
      nodes: [
        {
          id,
          kind: 'refresh-statistics',
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
  });
  expect((await ask(root, list)).body.data).toMatchObject({ deadLetters: { total: 2 } });
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  expect(metrics).toMatch(/^millrace_dead_letters\{kind="housekeep-project"\} 1$/m);
  await db.deadLetter.deleteMany();
});

test('other users and anonymous ones see nothing and run nothing again', async () => {
  const { id } = await deadLetter();
  for (const document of [list, retry, discard]) {
    expect(await ask(ada, document, { id })).toEqual(refusal('FORBIDDEN', 'Forbidden'));
    expect(await ask(null, document, { id })).toEqual(refusal('UNAUTHENTICATED', 'Unauthorized'));
  }
  expect(await db.deadLetter.count()).toBe(1);
  await db.deadLetter.deleteMany();
});

test('a job that was given up runs again, once, and is forgotten', async () => {
  await db.projectStatistics.update({ where: { projectId }, data: { commitCount: 99 } });
  const { id } = await deadLetter();
  const answers = await Promise.all([ask(root, retry, { id }), ask(root, retry, { id })]);
  expect(answers.filter(({ body }) => body.data !== null)).toHaveLength(1);
  expect(await db.deadLetter.count()).toBe(0);
  const counted = async () =>
    (await db.projectStatistics.findUniqueOrThrow({ where: { projectId } })).commitCount;
  await expect.poll(counted).toBe(0n);
  expect(await ask(root, retry, { id })).toEqual(refusal('NOT_FOUND', 'Dead letter Not Found'));
});

test('an import whose source is not kept any more cannot be retried', async () => {
  const { id } = await deadLetter({ kind: 'import-project' });
  expect(await ask(root, retry, { id })).toEqual(
    refusal('CONFLICT', 'The source of this import is not kept: import it again'),
  );
  expect((await ask(root, discard, { id })).body.data).toEqual({ discardDeadLetter: true });
  expect(await db.deadLetter.count()).toBe(0);
});

test('a removed project takes nothing of the record away but itself', async () => {
  await deadLetter();
  await as(root).delete(`/projects/${projectId}`);
  await expect.poll(() => db.project.count({ where: { id: projectId } })).toBe(0);
  expect(await db.deadLetter.findMany()).toMatchObject([{ projectId: null }]);
});
