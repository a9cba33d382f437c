import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { sweepJobFiles } from '../../schema/jobs/sweep-files.ts';
import { failUnresponsiveJobs } from '../../schema/runner-jobs/timed-out-jobs.ts';
import { requeueUnclaimedJobs } from '../../schema/runner-jobs/unclaimed-jobs.ts';
import { jobFiles } from '../../server/job-files/job-files.ts';
import { artifactsPath, jobFolders } from '../../server/job-files/paths.ts';
import { incomingFiles } from '../../server/uploads/incoming.ts';
import { ciOf } from '../support/ci.ts';
import { jobFilesOf } from '../support/job-files.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { world } from '../support/world.ts';

const here = await world();
const { as, seed, db, url, dataFolder } = here;
const { parts, deletePushPipelines, jobs } = await ciOf(here);
const runners = runnersOf(here);
const kept = jobFilesOf(here);
const folders = jobFolders(dataFolder);
const files = jobFiles(folders, incomingFiles(folders.artifacts));
const ada = await seed.user('ada');

const { id: project } = await seed.project('ada/app');
await seed.push('ada/app', { '.gitlab-ci.yml': 'one: { script: a, retry: 2 }' });
await deletePushPipelines(project);
const registered = await runners.specific([project]);
const runner = runnerClient(url, registered.token);
const other = runnerClient(url, (await runners.specific([project])).token);

async function made(): Promise<number> {
  await db.pipeline.deleteMany({ where: { projectId: project } });
  const { body } = await as(ada).post(`/projects/${project}/pipeline`, { ref: 'master' });
  return (body as { id: number }).id;
}

async function given() {
  const pipeline = await made();
  const { job } = await runner.request('');
  if (!job) throw new Error('no job was given');
  return { pipeline, job };
}

const jobOf = (pipelineId: number) => db.job.findFirstOrThrow({ where: { pipelineId } });

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** A job that was given so long ago, and how long ago its runner asked for another. */
async function aged(minutes: number, asked: number, change: object = {}) {
  const { pipeline, job } = await given();
  const at = minutesAgo(minutes);
  await db.job.update({
    where: { id: job.id },
    data: { startedAt: at, heardAt: at, queuedAt: at, ...change },
  });
  await db.runner.update({
    where: { id: registered.id },
    data: { contactedAt: minutesAgo(asked) },
  });
  return { pipeline, job };
}

/** Two rounds, one after the other, and what is done between them. */
async function rounds(between: () => Promise<unknown> = async () => undefined): Promise<void> {
  const round = requeueUnclaimedJobs({ ...parts, db, jobFiles: files });
  await round();
  await between();
  await round();
}

describe('a job of which its runner never heard', () => {
  test('waits again when the runner asks for others, and is given to whoever is next', async () => {
    const { pipeline, job } = await aged(6, 1);
    await rounds();
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
    const late = { status: 403, jobStatus: null, range: null };
    expect(await runner.append(job, 0, 'late')).toEqual(late);
    expect(await runner.update(job, { state: 'success' })).toEqual(late);
    expect(await jobs(pipeline)).toBe('one: running');
  });

  test('goes on as it is while that may be anything else', async () => {
    const others = [
      // its runner has not asked since
      () => aged(6, 6),
      () => aged(6, 5.1),
      // it said that it goes on, and nothing more
      () => aged(20, 1, { heardAt: minutesAgo(6) }),
      () => aged(6, 1, { traceSize: 3 }),
      () => aged(6, 1, { artifactsFile: 'a.zip' }),
      // it went round for an hour
      () => aged(6, 1, { queuedAt: minutesAgo(61) }),
    ];
    for (const make of others) {
      const { pipeline } = await make();
      await rounds();
      expect(await jobs(pipeline)).toBe('one: running');
    }
    const told = await aged(6, 1);
    await requeueUnclaimedJobs({ ...parts, db, jobFiles: files })();
    expect(await jobs(told.pipeline)).toBe('one: running');
    await rounds(() => runner.append(told.job, 0, 'there it is'));
    expect(await jobs(told.pipeline)).toBe('one: running');
    const early = await aged(0, 0);
    await runner.update(early.job, { state: 'running' });
    const { startedAt, heardAt } = await jobOf(early.pipeline);
    expect(heardAt?.getTime()).toBe((startedAt?.getTime() ?? 0) + 60_000);
    const traced = await aged(6, 1);
    await files.appendTrace({ id: traced.job.id, projectId: project }, 0, Buffer.from('a'));
    await rounds();
    expect(await jobs(traced.pipeline)).toBe('one: running');
  });

  test('is failed in the end when nobody takes it', async () => {
    const { pipeline } = await aged(61, 1);
    await rounds();
    await failUnresponsiveJobs({ ...parts, db });
    expect(await db.job.count({ where: { pipelineId: pipeline, status: 'failed' } })).toBe(1);
  });
});

describe('a runner that leaves before it is answered', () => {
  test('is given no job', async () => {
    const pipeline = await made();
    const { updatedAt } = await jobOf(pipeline);
    const caller = new AbortController();
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM pipelines WHERE id = ${pipeline} FOR UPDATE`;
      const answer = fetch(`${url}/api/v4/jobs/request`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token: registered.token }),
        signal: caller.signal,
      });
      await expect.poll(() => waiting()).toBeGreaterThan(0);
      caller.abort();
      await expect(answer).rejects.toThrow();
      // what comes later is answered: by now the server knows that this caller is gone
      await as(ada).get('/user');
    });
    const isBack = async () => {
      const job = await jobOf(pipeline);
      return job.status === 'pending' && job.updatedAt > updatedAt;
    };
    await expect.poll(isBack).toBe(true);
    expect((await other.request('')).status).toBe(201);
  });
});

/** How many wait for what somebody else holds. */
async function waiting(): Promise<number> {
  const [{ count }] = await db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return count;
}

describe('files that are swept while a runner leaves others', () => {
  test('are those from before alone', async () => {
    const { job } = await given();
    const place = { id: job.id, projectId: project };
    await kept.artifacts(place, { a: 'before' });
    await db.job.update({ where: { id: job.id }, data: { artifactsFile: null } });
    let isOver = false;
    let sweeping: Promise<unknown> = Promise.resolve();
    await db.$transaction(async (tx) => {
      await tx.job.update({ where: { id: job.id }, data: { artifactsFile: 'after.zip' } });
      await writeFile(artifactsPath(folders, place), 'after');
      sweeping = sweepJobFiles(job.id, { db, jobFiles: files }).finally(() => {
        isOver = true;
      });
      const isSettled = async () => isOver || (await waiting()) > 0;
      await expect.poll(isSettled).toBe(true);
    });
    await sweeping;
    const opened = await files.openArtifacts(place);
    expect(opened?.size).toBe('after'.length);
    opened?.content.destroy();
  });
});
