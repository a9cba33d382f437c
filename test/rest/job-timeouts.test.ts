import { describe, expect, test } from 'vitest';
import { failOverdueJobs } from '../../schema/runner-jobs/timed-out-jobs.ts';
import { ciOf } from '../support/ci.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, db, url } = testWorld;
const { parts, deletePushPipelines, jobs } = await ciOf(testWorld);
const runners = runnersOf(testWorld);
const ada = await seed.user('ada');
const bob = await seed.user('bob');

const { id: project } = await seed.project('ada/app', { developer: bob });
await seed.push('ada/app', { '.gitlab-ci.yml': 'one: { script: a, after_script: [b], retry: 1 }' });
await deletePushPipelines(project);
const runner = runnerClient(url, (await runners.specific([project])).token);

/** Creates a pipeline and assigns its job to the runner. */
async function assignJob() {
  await db.pipeline.deleteMany({ where: { projectId: project } });
  const created = await as(ada).post(`/projects/${project}/pipeline`, { ref: 'master' });
  const { job } = await runner.request('');
  if (!job) throw new Error('no job was assigned');
  return { pipeline: (created.body as { id: number }).id, job };
}

const secondsAllowed = async (id: number) => {
  const { startedAt, deadlineAt } = await db.job.findUniqueOrThrow({ where: { id } });
  return ((deadlineAt?.getTime() ?? 0) - (startedAt?.getTime() ?? 0)) / 1_000;
};

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe('build_timeout', () => {
  test('is sent to the runner, for the job and each of its steps', async () => {
    expect((await assignJob()).job).toMatchObject({
      runner_info: { timeout: 3600 },
      steps: [{ timeout: 3600 }, { timeout: 3600 }],
    });
    expect(await as(ada).put(`/projects/${project}`, { build_timeout: 900 })).toMatchObject({
      status: 200,
      body: { build_timeout: 900 },
    });
    const { job } = await assignJob();
    expect(job).toMatchObject({
      runner_info: { timeout: 900 },
      steps: [{ timeout: 900 }, { timeout: 900 }],
    });
    expect(await secondsAllowed(job.id)).toBe(900);
  });

  test('starts with each job of a pipeline', async () => {
    const { id } = await seed.project('ada/pair', {}, { build_timeout: 600 });
    await seed.push('ada/pair', { '.gitlab-ci.yml': 'one: { script: a }\ntwo: { script: a }' });
    await deletePushPipelines(id);
    const pair = runnerClient(url, (await runners.specific([id])).token);
    await as(ada).post(`/projects/${id}/pipeline`, { ref: 'master' });
    const [first, second] = [await pair.request(''), await pair.request('')];
    // the first job starts the pipeline, the second job joins the running pipeline
    for (const { job } of [first, second]) expect(await secondsAllowed(job?.id ?? 0)).toBe(600);
  });

  test('a change applies to jobs that start later', async () => {
    await as(ada).put(`/projects/${project}`, { build_timeout: 7200 });
    const { job } = await assignJob();
    await as(ada).put(`/projects/${project}`, { build_timeout: 600 });
    expect(await secondsAllowed(job.id)).toBe(7200);
  });

  test('masters change it, developers see it', async () => {
    expect((await as(bob).put(`/projects/${project}`, { build_timeout: 900 })).status).toBe(403);
    expect(await as(bob).get(`/projects/${project}`)).toMatchObject({
      body: { build_timeout: 600 },
    });
    const { body } = await as(null).get(`/projects/${project}`);
    expect(body).not.toHaveProperty('build_timeout');
  });
});

describe('a job that runs past its timeout', () => {
  test('fails five minutes later, even if its runner sends output', async () => {
    const { pipeline, job } = await assignJob();
    await runner.append(job, 0, 'and on\n');
    await db.job.update({ where: { id: job.id }, data: { deadlineAt: minutesAgo(6) } });
    await failOverdueJobs({ ...parts, db });
    expect(await db.job.findUniqueOrThrow({ where: { id: job.id } })).toMatchObject({
      status: 'failed',
      failure: 'stuck_or_timeout_failure',
      finishedAt: expect.any(Date),
    });
    // retried automatically, like any failed job
    expect(await jobs(pipeline)).toBe('one: pending');
    expect(await runner.append(job, 7, 'late\n')).toMatchObject({ jobStatus: 'failed' });
    expect(await runner.update(job, { state: 'success' })).toMatchObject({ jobStatus: 'failed' });
  });

  test('keeps running within the five minutes, and without a deadline', async () => {
    for (const deadlineAt of [minutesAgo(4), minutesAgo(-1), null]) {
      const { pipeline, job } = await assignJob();
      await db.job.update({ where: { id: job.id }, data: { deadlineAt } });
      await failOverdueJobs({ ...parts, db });
      expect(await jobs(pipeline)).toBe('one: running');
    }
  });

  test('has no deadline after it finished or was queued again', async () => {
    const { pipeline, job } = await assignJob();
    await runner.update(job, { state: 'success' });
    await db.job.update({ where: { id: job.id }, data: { deadlineAt: minutesAgo(60) } });
    await failOverdueJobs({ ...parts, db });
    expect(await jobs(pipeline)).toBe('one: success');
  });
});
