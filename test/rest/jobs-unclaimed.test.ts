import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sweepJobFiles } from '../../schema/jobs/sweep-files.ts';
import { failUnresponsiveJobs } from '../../schema/runner-jobs/timed-out-jobs.ts';
import { requeueUnclaimedJobs } from '../../schema/runner-jobs/unclaimed-jobs.ts';
import { jobFiles } from '../../server/job-files/job-files.ts';
import { artifactsKey, jobFolders } from '../../server/job-files/paths.ts';
import { localPlaces } from '../../server/objects/places.ts';
import { incomingFiles } from '../../server/uploads/incoming.ts';
import { ciOf } from '../support/ci.ts';
import { jobFilesOf } from '../support/job-files.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, db, url, dataFolder } = testWorld;
const { parts, deletePushPipelines, jobs } = await ciOf(testWorld);
const runners = runnersOf(testWorld);
const storedFiles = jobFilesOf(testWorld);
const folders = jobFolders(dataFolder);
const places = localPlaces(dataFolder);
const files = jobFiles({ folders, places, incoming: incomingFiles(folders.artifacts) });
const ada = await seed.user('ada');

const { id: project } = await seed.project('ada/app');
await seed.push('ada/app', { '.gitlab-ci.yml': 'one: { script: a, retry: 2 }' });
await deletePushPipelines(project);
const registered = await runners.specific([project]);
const runner = runnerClient(url, registered.token);
const other = runnerClient(url, (await runners.specific([project])).token);

async function createPipeline(): Promise<number> {
  await db.pipeline.deleteMany({ where: { projectId: project } });
  const { body } = await as(ada).post(`/projects/${project}/pipeline`, { ref: 'master' });
  return (body as { id: number }).id;
}

async function assignJob() {
  const pipeline = await createPipeline();
  const { job } = await runner.request('');
  if (!job) throw new Error('no job was assigned');
  return { pipeline, job };
}

const jobOf = (pipelineId: number) => db.job.findFirstOrThrow({ where: { pipelineId } });

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** A job assigned `minutes` ago, whose runner sent its last request `contacted` minutes ago. */
async function assignAgedJob(minutes: number, contacted: number, change: object = {}) {
  const { pipeline, job } = await assignJob();
  const at = minutesAgo(minutes);
  await db.job.update({
    where: { id: job.id },
    data: { startedAt: at, heardAt: at, queuedAt: at, ...change },
  });
  await db.runner.update({
    where: { id: registered.id },
    data: { contactedAt: minutesAgo(contacted) },
  });
  return { pipeline, job };
}

/** Runs the check twice, with an action in between. */
async function runTwice(between: () => Promise<unknown> = async () => undefined): Promise<void> {
  const round = requeueUnclaimedJobs({ ...parts, db, jobFiles: files });
  await round();
  await between();
  await round();
}

describe('a job that never reached its runner', () => {
  test('is queued again when the runner requests other jobs, and is assigned to the next runner', async () => {
    const { pipeline, job } = await assignAgedJob(6, 1);
    await runTwice();
    expect(await jobs(pipeline)).toBe('one: pending');
    expect(await db.job.findUniqueOrThrow({ where: { id: job.id } })).toMatchObject({
      runnerId: null,
      tokenDigest: null,
      tokenSealed: null,
      startedAt: null,
      heardAt: null,
    });
    expect(await as(ada).get(`/projects/${project}/pipelines/${pipeline}`)).toMatchObject({
      body: { status: 'pending' },
    });
    const again = await other.request('');
    expect(again.job?.id).toBe(job.id);
    expect(again.job?.token).not.toBe(job.token);
    const rejected = { status: 403, jobStatus: null, range: null };
    expect(await runner.append(job, 0, 'late')).toEqual(rejected);
    expect(await runner.update(job, { state: 'success' })).toEqual(rejected);
    expect(await jobs(pipeline)).toBe('one: running');
  });

  test('stays assigned if the runner could have received it', async () => {
    const claimedJobs = [
      // the runner sent no later request
      () => assignAgedJob(6, 6),
      () => assignAgedJob(6, 5.1),
      // the runner sent a heartbeat
      () => assignAgedJob(20, 1, { heardAt: minutesAgo(6) }),
      () => assignAgedJob(6, 1, { traceSize: 3 }),
      () => assignAgedJob(6, 1, { artifactsFile: 'a.zip' }),
      // the job was queued an hour ago
      () => assignAgedJob(6, 1, { queuedAt: minutesAgo(61) }),
    ];
    for (const make of claimedJobs) {
      const { pipeline } = await make();
      await runTwice();
      expect(await jobs(pipeline)).toBe('one: running');
    }
    const claimed = await assignAgedJob(6, 1);
    await requeueUnclaimedJobs({ ...parts, db, jobFiles: files })();
    expect(await jobs(claimed.pipeline)).toBe('one: running');
    await runTwice(() => runner.append(claimed.job, 0, 'there it is'));
    expect(await jobs(claimed.pipeline)).toBe('one: running');
    const recent = await assignAgedJob(0, 0);
    await runner.update(recent.job, { state: 'running' });
    const { startedAt, heardAt } = await jobOf(recent.pipeline);
    expect(heardAt?.getTime()).toBe((startedAt?.getTime() ?? 0) + 60_000);
    const traced = await assignAgedJob(6, 1);
    await files.appendTrace({ id: traced.job.id, projectId: project }, 0, Buffer.from('a'));
    await runTwice();
    expect(await jobs(traced.pipeline)).toBe('one: running');
  });

  test('fails eventually if no runner gets it', async () => {
    const { pipeline } = await assignAgedJob(61, 1);
    await runTwice();
    await failUnresponsiveJobs({ ...parts, db });
    expect(await db.job.count({ where: { pipelineId: pipeline, status: 'failed' } })).toBe(1);
  });
});

describe('a runner that disconnects before the response', () => {
  test('gets no job', async () => {
    const pipeline = await createPipeline();
    const { updatedAt } = await jobOf(pipeline);
    const caller = new AbortController();
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM pipelines WHERE id = ${pipeline} FOR UPDATE`;
      const response = fetch(`${url}/api/v4/jobs/request`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token: registered.token }),
        signal: caller.signal,
      });
      await expect.poll(() => waiting()).toBeGreaterThan(0);
      caller.abort();
      await expect(response).rejects.toThrow();
      // the response to a later request shows that the server has noticed the disconnect
      await as(ada).get('/user');
    });
    const isQueuedAgain = async () => {
      const job = await jobOf(pipeline);
      return job.status === 'pending' && job.updatedAt > updatedAt;
    };
    await expect.poll(isQueuedAgain).toBe(true);
    expect((await other.request('')).status).toBe(201);
  });
});

/** The number of database sessions that wait for a lock. */
async function waiting(): Promise<number> {
  const [{ count }] = await db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return count;
}

describe('sweeping files while a runner uploads others', () => {
  test('deletes the earlier files only', async () => {
    const { job } = await assignJob();
    const jobFile = { id: job.id, projectId: project };
    await storedFiles.artifacts(jobFile, { a: 'before' });
    await db.job.update({ where: { id: job.id }, data: { artifactsFile: null } });
    let isOver = false;
    let sweeping: Promise<unknown> = Promise.resolve();
    await db.$transaction(async (tx) => {
      await tx.job.update({ where: { id: job.id }, data: { artifactsFile: 'after.zip' } });
      await writeFile(join(dataFolder, artifactsKey(jobFile)), 'after');
      sweeping = sweepJobFiles({ id: job.id }, { db, jobFiles: files }).finally(() => {
        isOver = true;
      });
      const isSettled = async () => isOver || (await waiting()) > 0;
      await expect.poll(isSettled).toBe(true);
    });
    await sweeping;
    const opened = await files.openArtifacts(jobFile);
    expect(opened?.size).toBe('after'.length);
    opened?.content.destroy();
  });
});
