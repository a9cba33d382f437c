import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const here = await world();
const { as, seed, db, url } = here;
const { deletePushPipelines } = await ciOf(here);
const runners = runnersOf(here);
const ada = await seed.user('ada');
await seed.group('acme', { owner: ada });

const three = 'one: { script: a }\ntwo: { script: b }\nthree: { script: c }\n';

/** A pipeline of three jobs, the first of which runs, and who asks for the others. */
async function begun(path: string) {
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
  test('gives what waits there, and its start is told to hooks that want to know', async () => {
    const { id, runner } = await begun('told');
    expect((await runner.request()).job?.job_info.name).toBe('two');
    const { id: hookId } = await db.webHook.create({
      data: { projectId: id, url: 'http://hooks.invalid', onJob: true },
    });
    const { job } = await runner.request();
    expect(job?.job_info.name).toBe('three');
    const told = await db.hookDelivery.findMany({ where: { hookId } });
    expect(told).toHaveLength(1);
    expect(told[0]?.payload).toMatchObject({ build_id: job?.id, build_status: 'running' });
  });

  test('a job whose variables cannot be read fails, and was nobody’s', async () => {
    const { runner, pipeline } = await begun('unreadable');
    await db.pipeline.update({ where: { id: pipeline }, data: { variablesSealed: 'no seal' } });
    expect((await runner.request()).status).toBe(204);
    const unheard = { runnerId: null, tokenDigest: null, tokenSealed: null, startedAt: null };
    for (const name of ['two', 'three']) {
      expect(
        await db.job.findFirstOrThrow({ where: { pipelineId: pipeline, name } }),
      ).toMatchObject({ ...unheard, status: 'failed', failure: 'unknown_failure' });
    }
  });

  test('a pipeline that somebody changes is not waited for while another has a job', async () => {
    const { runner, pipeline, make } = await begun('disturbed');
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
