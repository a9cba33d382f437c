import { describe, expect, test } from 'vitest';
import { failOverdueJobs } from '../../schema/runner-jobs/timed-out-jobs.ts';
import { ciOf } from '../support/ci.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const here = await world();
const { as, seed, db, url } = here;
const { parts, deletePushPipelines, jobs } = await ciOf(here);
const runners = runnersOf(here);
const ada = await seed.user('ada');
const bob = await seed.user('bob');

const { id: project } = await seed.project('ada/app', { developer: bob });
await seed.push('ada/app', { '.gitlab-ci.yml': 'one: { script: a, after_script: [b], retry: 1 }' });
await deletePushPipelines(project);
const runner = runnerClient(url, (await runners.specific([project])).token);

/** A job that its runner has begun. */
async function given() {
  await db.pipeline.deleteMany({ where: { projectId: project } });
  const made = await as(ada).post(`/projects/${project}/pipeline`, { ref: 'master' });
  const { job } = await runner.request('');
  if (!job) throw new Error('no job was given');
  return { pipeline: (made.body as { id: number }).id, job };
}

const secondsAllowed = async (id: number) => {
  const { startedAt, deadlineAt } = await db.job.findUniqueOrThrow({ where: { id } });
  return ((deadlineAt?.getTime() ?? 0) - (startedAt?.getTime() ?? 0)) / 1_000;
};

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

describe('build_timeout', () => {
  test('is sent to the runner, for the job and each of its steps', async () => {
    expect((await given()).job).toMatchObject({
      runner_info: { timeout: 3600 },
      steps: [{ timeout: 3600 }, { timeout: 3600 }],
    });
    expect(await as(ada).put(`/projects/${project}`, { build_timeout: 900 })).toMatchObject({
      status: 200,
      body: { build_timeout: 900 },
    });
    const { job } = await given();
    expect(job).toMatchObject({
      runner_info: { timeout: 900 },
      steps: [{ timeout: 900 }, { timeout: 900 }],
    });
    expect(await secondsAllowed(job.id)).toBe(900);
  });

  test('is counted from the start for every job of a pipeline', async () => {
    const { id } = await seed.project('ada/pair', {}, { build_timeout: 600 });
    await seed.push('ada/pair', { '.gitlab-ci.yml': 'one: { script: a }\ntwo: { script: a }' });
    await deletePushPipelines(id);
    const pair = runnerClient(url, (await runners.specific([id])).token);
    await as(ada).post(`/projects/${id}/pipeline`, { ref: 'master' });
    const [first, second] = [await pair.request(''), await pair.request('')];
    // the first job starts its pipeline, the second joins one that runs
    for (const { job } of [first, second]) expect(await secondsAllowed(job?.id ?? 0)).toBe(600);
  });

  test('a change holds for jobs that start later', async () => {
    await as(ada).put(`/projects/${project}`, { build_timeout: 7200 });
    const { job } = await given();
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
  test('fails five minutes later, although its runner is heard of', async () => {
    const { pipeline, job } = await given();
    await runner.append(job, 0, 'and on\n');
    await db.job.update({ where: { id: job.id }, data: { deadlineAt: minutesAgo(6) } });
    await failOverdueJobs({ ...parts, db });
    expect(await db.job.findUniqueOrThrow({ where: { id: job.id } })).toMatchObject({
      status: 'failed',
      failure: 'stuck_or_timeout_failure',
      finishedAt: expect.any(Date),
    });
    // as any job that fails, it is tried again by itself
    expect(await jobs(pipeline)).toBe('one: pending');
    expect(await runner.append(job, 7, 'late\n')).toMatchObject({ jobStatus: 'failed' });
    expect(await runner.update(job, { state: 'success' })).toMatchObject({ jobStatus: 'failed' });
  });

  test('goes on in its last minutes, and without a deadline', async () => {
    for (const deadlineAt of [minutesAgo(4), minutesAgo(-1), null]) {
      const { pipeline, job } = await given();
      await db.job.update({ where: { id: job.id }, data: { deadlineAt } });
      await failOverdueJobs({ ...parts, db });
      expect(await jobs(pipeline)).toBe('one: running');
    }
  });

  test('has no deadline any more once it ended or is queued again', async () => {
    const { pipeline, job } = await given();
    await runner.update(job, { state: 'success' });
    await db.job.update({ where: { id: job.id }, data: { deadlineAt: minutesAgo(60) } });
    await failOverdueJobs({ ...parts, db });
    expect(await jobs(pipeline)).toBe('one: success');
  });
});
