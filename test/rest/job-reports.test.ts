import { describe, expect, test } from 'vitest';
import { failUnresponsiveJobs } from '../../schema/runner-jobs/timed-out-jobs.ts';
import { ciOf } from '../support/ci.ts';
import { type AssignedJob, runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, db, url } = testWorld;
const { parts, deletePushPipelines, jobs } = await ciOf(testWorld);
const runners = runnersOf(testWorld);
const ada = await seed.user('ada');

const file = `
one: { stage: build, script: a, coverage: '/covered (\\d+)%/' }
two: { stage: test, script: b }
`;

const { id: project } = await seed.project('ada/app');
await seed.push('ada/app', { '.gitlab-ci.yml': file });
await deletePushPipelines(project);
const { token: runnerToken } = await runners.specific([project]);
const runner = runnerClient(url, runnerToken);

interface AssignedPipeline {
  readonly pipeline: number;
  readonly job: AssignedJob;
}

/** Creates a pipeline and assigns its first job to the runner. */
async function assignJob(): Promise<AssignedPipeline> {
  await db.pipeline.deleteMany({ where: { projectId: project } });
  const { body } = await as(ada).post(`/projects/${project}/pipeline`, { ref: 'master' });
  const { job } = await runner.request('');
  if (!job) throw new Error('no job was assigned');
  return { pipeline: (body as { id: number }).id, job };
}

const stored = (id: number) => db.job.findUniqueOrThrow({ where: { id } });
const traceOf = async (id: number) =>
  (await as(ada).get(`/projects/${project}/jobs/${id}/trace`)).body;
const statusResponse = (jobStatus: string) => ({ status: 200, jobStatus, range: null });

describe('PUT /jobs/:id', () => {
  test('success finishes a job and starts the next stage', async () => {
    const { pipeline, job } = await assignJob();
    expect(await runner.update(job, { state: 'success' })).toEqual(statusResponse('success'));
    expect(await stored(job.id)).toMatchObject({
      status: 'success',
      failure: null,
      finishedAt: expect.any(Date),
    });
    expect(await jobs(pipeline)).toBe('one: success, two: pending');
  });

  test('the body is true if the status changed', async () => {
    const { job } = await assignJob();
    const update = (state?: string) =>
      as(null).put(`/jobs/${job.id}`, { token: job.token, ...(state && { state }) });
    expect(await update()).toEqual({ status: 200, body: null });
    expect(await update('success')).toEqual({ status: 200, body: true });
  });

  test('failed finishes a job with a failure reason, also with the reasons of later runners', async () => {
    const reasons = [
      ['script_failure', 'script_failure'],
      ['runner_system_failure', 'runner_system_failure'],
      ['job_execution_timeout', 'stuck_or_timeout_failure'],
      ['something new', 'unknown_failure'],
      [null, 'unknown_failure'],
    ];
    for (const [failure_reason, failure] of reasons) {
      const { pipeline, job } = await assignJob();
      const report = { state: 'failed', failure_reason, exit_code: 1 };
      expect(await runner.update(job, report)).toEqual(statusResponse('failed'));
      expect(await stored(job.id)).toMatchObject({ status: 'failed', failure });
      expect(await jobs(pipeline)).toBe('one: failed, two: skipped');
    }
  });

  test('any other state is a heartbeat', async () => {
    const { job } = await assignJob();
    const heardAt = new Date(Date.now() - 120_000);
    for (const heartbeat of [{}, { state: 'running' }, { state: 'pending' }]) {
      await db.job.update({ where: { id: job.id }, data: { heardAt } });
      expect(await runner.update(job, heartbeat)).toEqual(statusResponse('running'));
      const row = await stored(job.id);
      expect(row.status).toBe('running');
      expect(row.heardAt?.getTime()).toBeGreaterThan(heardAt.getTime());
    }
  });

  test('the full trace replaces missing parts and contains the coverage', async () => {
    const { job } = await assignJob();
    await runner.append(job, 0, 'one\n');
    const trace = 'one\ncovered 12%\n\u001b[0mcovered 42%\u0000\n';
    await runner.update(job, { state: 'success', trace });
    expect(await traceOf(job.id)).toBe(trace);
    expect(await stored(job.id)).toMatchObject({
      traceSize: Buffer.byteLength(trace),
      coverage: 42,
    });
  });

  test('a full trace continues after the appended parts, even if they contain invalid UTF-8', async () => {
    const { job } = await assignJob();
    const invalidUtf8 = Buffer.from([0xff, 0xe2, 0x82, 0x0a, 0xef, 0xbf, 0xbd, 0xef, 0x41, 0x0a]);
    await runner.append(job, 0, Buffer.concat([invalidUtf8, Buffer.from(`${job.token}\n`)]));
    const start = `\ufffd\ufffd\ufffd\n\ufffd\ufffdA\n${job.token}\n`;
    const report = { state: 'success', trace: `${start}end \ufffd\n` };
    expect(await runner.update(job, report)).toEqual(statusResponse('success'));
    const text = `${invalidUtf8.toString()}${'x'.repeat(job.token.length)}\nend \ufffd\n`;
    expect(await traceOf(job.id)).toBe(text);
    expect(await runner.update(job, report)).toEqual(statusResponse('success'));
    expect(await traceOf(job.id)).toBe(text);
  });

  test('a full trace can exceed the limit of other texts', async () => {
    const { job } = await assignJob();
    const trace = '\u001b[0m\u001b[31m'.repeat(2 ** 19);
    expect(await runner.update(job, { state: 'success', trace })).toEqual(
      statusResponse('success'),
    );
    expect((await stored(job.id)).traceSize).toBe(trace.length);
    const longer = await runner.update(job, { trace: 'x'.repeat(2 ** 24) });
    expect(longer.status).toBe(413);
  });

  test('a canceled job stays canceled, and the runner is notified', async () => {
    const { pipeline, job } = await assignJob();
    await as(ada).post(`/projects/${project}/pipelines/${pipeline}/cancel`);
    expect(await runner.update(job, { state: 'running' })).toEqual(statusResponse('canceled'));
    expect(await runner.update(job, { state: 'success', trace: 'so far\n' })).toEqual(
      statusResponse('canceled'),
    );
    expect(await traceOf(job.id)).toBe('so far\n');
    expect((await stored(job.id)).status).toBe('canceled');
  });

  test('a finished job cannot finish again', async () => {
    const { job } = await assignJob();
    await runner.update(job, { state: 'success' });
    expect(await runner.update(job, { state: 'failed' })).toEqual(statusResponse('success'));
    expect((await stored(job.id)).failure).toBeNull();
  });

  test('a job runs with the protocol of old and new runners', async () => {
    for (const form of ['old', 'new'] as const) {
      const { pipeline, job } = await assignJob();
      const trace = 'Running with runner…\n$ a\nJob succeeded\n';
      const client = runnerClient(url, runnerToken, form);
      expect(await client.run(job, { state: 'success', trace })).toEqual(statusResponse('success'));
      expect(await traceOf(job.id)).toBe(trace);
      expect(await jobs(pipeline)).toBe('one: success, two: pending');
    }
  });

  test('a wrong token gives 403, a missing token 400', async () => {
    const first = await assignJob();
    await runner.update(first.job, { state: 'success' });
    const { job: second } = await runner.request('');
    const path = `/jobs/${first.job.id}`;
    for (const token of [second?.token, runnerToken, ada.token, '', 'x']) {
      expect(await as(ada).put(path, { token, state: 'failed' })).toEqual(refused.forbidden);
    }
    expect(await as(ada).put(path, { state: 'failed' })).toEqual(
      refused.parameter('token is missing'),
    );
    expect(await as(ada).put('/jobs/x', { token: 'x' })).toEqual(
      refused.parameter('id is invalid'),
    );
  });

  test('an unknown job gives 404; an erased job and a job of a removed project give 403', async () => {
    const { job } = await assignJob();
    const update = (id: number) => as(null).put(`/jobs/${id}`, { token: job.token });
    expect(await update(0)).toEqual({ status: 404, body: { message: '404 Not Found' } });
    expect(await update(2 ** 31)).toEqual({ status: 404, body: { message: '404 Not Found' } });
    await db.job.update({ where: { id: job.id }, data: { erasedAt: new Date() } });
    expect(await update(job.id)).toEqual({
      status: 403,
      body: { message: '403 Forbidden - Job has been erased!' },
    });
    await db.job.update({ where: { id: job.id }, data: { erasedAt: null } });
    await db.project.update({ where: { id: project }, data: { isRemoved: true } });
    expect(await update(job.id)).toEqual({
      status: 403,
      body: { message: '403 Forbidden - Project has been deleted!' },
    });
    await db.project.update({ where: { id: project }, data: { isRemoved: false } });
  });
});

describe('a job without heartbeats', () => {
  test('fails after an hour, and later updates change nothing', async () => {
    const { pipeline, job } = await assignJob();
    const setLastHeartbeat = (minutes: number) =>
      db.job.update({
        where: { id: job.id },
        data: { heardAt: new Date(Date.now() - minutes * 60_000) },
      });
    await setLastHeartbeat(59);
    await failUnresponsiveJobs({ ...parts, db });
    expect(await jobs(pipeline)).toBe('one: running, two: created');
    await setLastHeartbeat(61);
    await failUnresponsiveJobs({ ...parts, db });
    expect(await jobs(pipeline)).toBe('one: failed, two: skipped');
    expect(await stored(job.id)).toMatchObject({ failure: 'stuck_or_timeout_failure' });
    expect(await runner.update(job, { state: 'success' })).toEqual(statusResponse('failed'));
  });
});
