import { expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, db } = testWorld;
const { move, jobs, deletePushPipelines } = await ciOf(testWorld);
await seed.user('ada');

const numbers = Array.from({ length: 10 }, (_, n) => n);
const file = [
  'stages: [test, deploy]',
  ...numbers.map((n) => `unit-${n}: { stage: test, script: test }`),
  'release: { stage: deploy, script: release }',
  'mourn: { stage: deploy, script: mourn, when: on_failure }',
].join('\n');
const { id: app } = await seed.project('ada/app');
await seed.push('ada/app', { '.gitlab-ci.yml': file });
await deletePushPipelines(app);
const list = `/projects/${app}/pipelines`;

async function createPipeline(): Promise<number> {
  const { status, body } = await as(root).post(`/projects/${app}/pipeline`, { ref: 'master' });
  expect(status).toBe(201);
  return (body as { id: number }).id;
}

const statusOf = async (id: number) => {
  const { body } = await as(root).get(`${list}/${id}`);
  return (body as { status: string }).status;
};

const moveAll = (id: number, to: 'running' | 'success' | 'failed') =>
  Promise.all(numbers.map((n) => move(id, `unit-${n}`, to)));

test('ten jobs that start and finish concurrently result in the correct status', async () => {
  const id = await createPipeline();
  expect(await moveAll(id, 'running')).toEqual(numbers.map(() => true));
  expect(await statusOf(id)).toBe('running');
  expect(await moveAll(id, 'success')).toEqual(numbers.map(() => true));
  expect(await jobs(id)).toContain('release: pending, mourn: skipped');
  expect(await statusOf(id)).toBe('running');
  await move(id, 'release', 'success');
  expect(await statusOf(id)).toBe('success');
});

test('concurrent results with one failure result in the correct status', async () => {
  const id = await createPipeline();
  await Promise.all(numbers.map((n) => move(id, `unit-${n}`, n === 7 ? 'failed' : 'success')));
  expect(await jobs(id)).toContain('release: skipped, mourn: pending');
  await move(id, 'mourn', 'success');
  expect(await statusOf(id)).toBe('failed');
});

test('one of several concurrent starts of a job succeeds', async () => {
  const id = await createPipeline();
  const started = await Promise.all([1, 2, 3, 4].map(() => move(id, 'unit-0', 'running')));
  expect(started.filter(Boolean)).toHaveLength(1);
});

test('concurrent retries create each job once', async () => {
  const id = await createPipeline();
  await moveAll(id, 'failed');
  const before = await db.job.count({ where: { pipelineId: id } });
  const responses = await Promise.all([1, 2, 3, 4].map(() => as(root).post(`${list}/${id}/retry`)));
  for (const response of responses) {
    expect(response).toMatchObject({ status: 201, body: { id, status: 'pending' } });
  }
  expect(await db.job.count({ where: { pipelineId: id } })).toBe(before + numbers.length);
});

test('a cancel concurrent with finishing jobs leaves no active job', async () => {
  const id = await createPipeline();
  await moveAll(id, 'running');
  const canceled = as(root).post(`${list}/${id}/cancel`);
  const ended = await moveAll(id, 'success');
  expect((await canceled).status).toBe(200);
  const rows = await db.job.findMany({ where: { pipelineId: id, name: { startsWith: 'unit' } } });
  expect(rows.filter(({ status }) => status === 'success')).toHaveLength(
    ended.filter(Boolean).length,
  );
  expect(rows.every(({ status }) => status === 'success' || status === 'canceled')).toBe(true);
  const status = await statusOf(id);
  expect(ended.every(Boolean) ? ['running', 'canceled'] : ['canceled']).toContain(status);
});
