import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, db, url } = testWorld;
const { deletePushPipelines } = await ciOf(testWorld);
const runners = runnersOf(testWorld);
const ada = await seed.user('ada');
await seed.group('acme', { owner: ada });

const three = 'one: { script: a }\ntwo: { script: b }\nthree: { script: c }\n';

/** A pipeline of three jobs, the first of which is running, and a runner for the others. */
async function startedPipeline(path: string) {
  const { id } = await seed.project(`acme/${path}`);
  await seed.push(`acme/${path}`, { '.gitlab-ci.yml': three });
  await deletePushPipelines(id);
  const make = async () =>
    ((await as(ada).post(`/projects/${id}/pipeline`, { ref: 'master' })).body as { id: number }).id;
  const runner = runnerClient(url, (await runners.specific([id])).token);
  const pipeline = await make();
  expect((await runner.request()).job?.job_info.name).toBe('one');
  return { id, runner, pipeline, make };
}

const statusOf = async (pipelineId: number, name: string) =>
  (await db.job.findFirstOrThrow({ where: { pipelineId, name } })).status;

describe('POST /jobs/request, for a pipeline that runs', () => {
  test('assigns pending jobs and notifies hooks with job_events', async () => {
    const { id, runner } = await startedPipeline('hooks');
    expect((await runner.request()).job?.job_info.name).toBe('two');
    const { id: hookId } = await db.webHook.create({
      data: { projectId: id, url: 'http://hooks.invalid', onJob: true },
    });
    const { job } = await runner.request();
    expect(job?.job_info.name).toBe('three');
    const deliveries = await db.hookDelivery.findMany({ where: { hookId } });
    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]?.payload).toMatchObject({ build_id: job?.id, build_status: 'running' });
  });

  test('a job whose variables cannot be decrypted fails without a runner', async () => {
    const { runner, pipeline } = await startedPipeline('unreadable');
    await db.pipeline.update({ where: { id: pipeline }, data: { variablesSealed: 'no seal' } });
    expect((await runner.request()).status).toBe(204);
    const unassigned = { runnerId: null, tokenDigest: null, tokenSealed: null, startedAt: null };
    for (const name of ['two', 'three']) {
      expect(
        await db.job.findFirstOrThrow({ where: { pipelineId: pipeline, name } }),
      ).toMatchObject({ ...unassigned, status: 'failed', failure: 'unknown_failure' });
    }
  });

  test('a locked pipeline is skipped while another pipeline has a job', async () => {
    const { runner, pipeline, make } = await startedPipeline('disturbed');
    const other = await make();
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT id FROM pipelines WHERE id = ${pipeline} FOR UPDATE`;
      expect((await runner.request()).job?.job_info.name).toBe('one');
      expect(await statusOf(other, 'one')).toBe('running');
      expect(await statusOf(pipeline, 'two')).toBe('pending');
    });
    expect((await runner.request()).job?.job_info.name).toBe('two');
    expect(await statusOf(pipeline, 'two')).toBe('running');
  });
});
