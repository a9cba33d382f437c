import { describe, expect, test } from 'vitest';
import { failUnresponsiveJobs } from '../../schema/runner-jobs/timed-out-jobs.ts';
import { ciOf } from '../support/ci.ts';
import { type AssignedJob, runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const here = await world();
const { as, seed, db, url } = here;
const { parts, deletePushPipelines, jobs } = await ciOf(here);
const runners = runnersOf(here);
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

interface Given {
  readonly pipeline: number;
  readonly job: AssignedJob;
}

/** A pipeline whose first job was just given to the runner. */
async function given(): Promise<Given> {
  await db.pipeline.deleteMany({ where: { projectId: project } });
  const { body } = await as(ada).post(`/projects/${project}/pipeline`, { ref: 'master' });
  const { job } = await runner.request('');
  if (!job) throw new Error('no job was given');
  return { pipeline: (body as { id: number }).id, job };
}

const stored = (id: number) => db.job.findUniqueOrThrow({ where: { id } });
const traceOf = async (id: number) =>
  (await as(ada).get(`/projects/${project}/jobs/${id}/trace`)).body;
const told = (jobStatus: string) => ({ status: 200, jobStatus, range: null });

describe('PUT /jobs/:id', () => {
  test('success ends a job, and the next stage has its turn', async () => {
    const { pipeline, job } = await given();
    expect(await runner.update(job, { state: 'success' })).toEqual(told('success'));
    expect(await stored(job.id)).toMatchObject({
      status: 'success',
      failure: null,
      finishedAt: expect.any(Date),
    });
    expect(await jobs(pipeline)).toBe('one: success, two: pending');
  });

  test('its body is true when the job has moved', async () => {
    const { job } = await given();
    const say = (state?: string) =>
      as(null).put(`/jobs/${job.id}`, { token: job.token, ...(state && { state }) });
    expect(await say()).toEqual({ status: 200, body: null });
    expect(await say('success')).toEqual({ status: 200, body: true });
  });

  test('failed ends it with the reason it has, in the words of later programs as well', async () => {
    const reasons = [
      ['script_failure', 'script_failure'],
      ['runner_system_failure', 'runner_system_failure'],
      ['job_execution_timeout', 'stuck_or_timeout_failure'],
      ['something new', 'unknown_failure'],
      [null, 'unknown_failure'],
    ];
    for (const [failure_reason, failure] of reasons) {
      const { pipeline, job } = await given();
      const said = { state: 'failed', failure_reason, exit_code: 1 };
      expect(await runner.update(job, said)).toEqual(told('failed'));
      expect(await stored(job.id)).toMatchObject({ status: 'failed', failure });
      expect(await jobs(pipeline)).toBe('one: failed, two: skipped');
    }
  });

  test('anything else is a sign of life', async () => {
    const { job } = await given();
    const heardAt = new Date(Date.now() - 120_000);
    for (const said of [{}, { state: 'running' }, { state: 'pending' }]) {
      await db.job.update({ where: { id: job.id }, data: { heardAt } });
      expect(await runner.update(job, said)).toEqual(told('running'));
      const row = await stored(job.id);
      expect(row.status).toBe('running');
      expect(row.heardAt?.getTime()).toBeGreaterThan(heardAt.getTime());
    }
  });

  test('the whole trace at the end fills in what is missing, and coverage is read from it', async () => {
    const { job } = await given();
    await runner.append(job, 0, 'one\n');
    const trace = 'one\ncovered 12%\n\u001b[0mcovered 42%\u0000\n';
    await runner.update(job, { state: 'success', trace });
    expect(await traceOf(job.id)).toBe(trace);
    expect(await stored(job.id)).toMatchObject({
      traceSize: Buffer.byteLength(trace),
      coverage: 42,
    });
  });

  test('a whole trace goes on where the pieces end, whatever became of bytes that are no text', async () => {
    const { job } = await given();
    const stray = Buffer.from([0xff, 0xe2, 0x82, 0x0a, 0xef, 0xbf, 0xbd, 0xef, 0x41, 0x0a]);
    await runner.append(job, 0, Buffer.concat([stray, Buffer.from(`${job.token}\n`)]));
    const start = `\ufffd\ufffd\ufffd\n\ufffd\ufffdA\n${job.token}\n`;
    const said = { state: 'success', trace: `${start}end \ufffd\n` };
    expect(await runner.update(job, said)).toEqual(told('success'));
    const text = `${stray.toString()}${'x'.repeat(job.token.length)}\nend \ufffd\n`;
    expect(await traceOf(job.id)).toBe(text);
    expect(await runner.update(job, said)).toEqual(told('success'));
    expect(await traceOf(job.id)).toBe(text);
  });

  test('a whole trace may be longer than what people type', async () => {
    const { job } = await given();
    const trace = '\u001b[0m\u001b[31m'.repeat(2 ** 19);
    expect(await runner.update(job, { state: 'success', trace })).toEqual(told('success'));
    expect((await stored(job.id)).traceSize).toBe(trace.length);
    const longer = await runner.update(job, { trace: 'x'.repeat(2 ** 24) });
    expect(longer.status).toBe(413);
  });

  test('a job that was canceled stays so, and its runner is told', async () => {
    const { pipeline, job } = await given();
    await as(ada).post(`/projects/${project}/pipelines/${pipeline}/cancel`);
    expect(await runner.update(job, { state: 'running' })).toEqual(told('canceled'));
    expect(await runner.update(job, { state: 'success', trace: 'so far\n' })).toEqual(
      told('canceled'),
    );
    expect(await traceOf(job.id)).toBe('so far\n');
    expect((await stored(job.id)).status).toBe('canceled');
  });

  test('an end is told once', async () => {
    const { job } = await given();
    await runner.update(job, { state: 'success' });
    expect(await runner.update(job, { state: 'failed' })).toEqual(told('success'));
    expect((await stored(job.id)).failure).toBeNull();
  });

  test('a whole job runs in the words of old programs and of new ones', async () => {
    for (const form of ['old', 'new'] as const) {
      const { pipeline, job } = await given();
      const trace = 'Running with runner…\n$ a\nJob succeeded\n';
      const program = runnerClient(url, runnerToken, form);
      expect(await program.run(job, { state: 'success', trace })).toEqual(told('success'));
      expect(await traceOf(job.id)).toBe(trace);
      expect(await jobs(pipeline)).toBe('one: success, two: pending');
    }
  });

  test('another token, that of another job or none is forbidden or told to be missing', async () => {
    const first = await given();
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

  test('an unknown job is not found; one that was erased, or whose project is gone, is forbidden', async () => {
    const { job } = await given();
    const say = (id: number) => as(null).put(`/jobs/${id}`, { token: job.token });
    expect(await say(0)).toEqual({ status: 404, body: { message: '404 Not Found' } });
    expect(await say(2 ** 31)).toEqual({ status: 404, body: { message: '404 Not Found' } });
    await db.job.update({ where: { id: job.id }, data: { erasedAt: new Date() } });
    expect(await say(job.id)).toEqual({
      status: 403,
      body: { message: '403 Forbidden - Job has been erased!' },
    });
    await db.job.update({ where: { id: job.id }, data: { erasedAt: null } });
    await db.project.update({ where: { id: project }, data: { isRemoved: true } });
    expect(await say(job.id)).toEqual({
      status: 403,
      body: { message: '403 Forbidden - Project has been deleted!' },
    });
    await db.project.update({ where: { id: project }, data: { isRemoved: false } });
  });
});

describe('a job whose runner has fallen silent', () => {
  test('fails after an hour, and what its runner says later is too late', async () => {
    const { pipeline, job } = await given();
    const silentFor = (minutes: number) =>
      db.job.update({
        where: { id: job.id },
        data: { heardAt: new Date(Date.now() - minutes * 60_000) },
      });
    await silentFor(59);
    await failUnresponsiveJobs({ ...parts, db });
    expect(await jobs(pipeline)).toBe('one: running, two: created');
    await silentFor(61);
    await failUnresponsiveJobs({ ...parts, db });
    expect(await jobs(pipeline)).toBe('one: failed, two: skipped');
    expect(await stored(job.id)).toMatchObject({ failure: 'stuck_or_timeout_failure' });
    expect(await runner.update(job, { state: 'success' })).toEqual(told('failed'));
  });
});
