import { describe, expect, test } from 'vitest';
import { ciFile, ciOf, jobShape } from '../support/ci.ts';
import { jobFilesOf } from '../support/job-files.ts';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db } = testWorld;
const { move, jobs, deletePushPipelines } = await ciOf(testWorld);
const jobFiles = jobFilesOf(testWorld);
const ada = await seed.user('ada');
const dan = await seed.user('dan');
const dora = await seed.user('dora');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const sam = await seed.user('sam');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const roles = { developer: [dan, dora], reporter: rita, guest: gus };
const { id: app } = await seed.project('acme/app', roles);
const sha = await seed.push('acme/app', { '.gitlab-ci.yml': ciFile });
await deletePushPipelines(app);
await db.protectedBranch.deleteMany({ where: { projectId: app } });
const { id: other } = await seed.project('acme/other', roles, { visibility: 'public' });

interface Pipeline {
  readonly id: number;
}

/** Dan creates a pipeline of `master`. */
async function createPipeline(): Promise<Pipeline> {
  const { status, body } = await as(dan).post(`/projects/${app}/pipeline`, { ref: 'master' });
  expect(status).toBe(201);
  return body as Pipeline;
}

/** The latest job of a name. */
async function findLatestJob({ id: pipelineId }: Pipeline, name: string) {
  return db.job.findFirstOrThrow({ where: { pipelineId, name, isRetried: false } });
}

async function finish({ id }: Pipeline, name: string, to: 'success' | 'failed') {
  await move(id, name, 'running');
  await move(id, name, to);
}

/** A pipeline whose automatic jobs have succeeded. */
async function createSucceededPipeline(): Promise<Pipeline> {
  const pipeline = await createPipeline();
  for (const name of ['compile', 'unit', 'lint']) await finish(pipeline, name, 'success');
  return pipeline;
}

const pathOf = ({ id }: { id: number }, action: string) => `/projects/${app}/jobs/${id}/${action}`;

const shape = (pipeline: Pipeline & { status: string }, overrides: object) => ({
  ...jobShape(url, { sha, user: dan, pipeline, fullPath: 'acme/app' }),
  ...overrides,
});

const denied = (reason: string) => ({
  status: 403,
  body: { message: `403 Forbidden - ${reason}` },
});

/** The actions with the status on success and a job that allows the action. */
const actions = [
  ['cancel', 201, async () => findLatestJob(await createPipeline(), 'compile')],
  [
    'retry',
    201,
    async () => {
      const pipeline = await createPipeline();
      await finish(pipeline, 'compile', 'failed');
      return findLatestJob(pipeline, 'compile');
    },
  ],
  ['play', 200, async () => findLatestJob(await createSucceededPipeline(), 'release')],
  [
    'erase',
    201,
    async () => {
      const job = await findLatestJob(await createSucceededPipeline(), 'unit');
      await jobFiles.trace(job, 'tested\n');
      return job;
    },
  ],
  [
    'artifacts/keep',
    200,
    async () => {
      const job = await findLatestJob(await createSucceededPipeline(), 'compile');
      await jobFiles.artifacts(job, { app: 'x' }, new Date(Date.now() + 60_000));
      return job;
    },
  ],
] as const;

describe.each(actions)('POST /projects/:id/jobs/:job_id/%s', (action, status, readyJob) => {
  test('requires a developer', async () => {
    const job = await readyJob();
    const path = pathOf(job, action);
    expect(await as(null).post(path)).toEqual(refused.anonymous);
    expect(await as(sam).post(path)).toEqual(refused.missing('Project'));
    expect(await as(sam).post(`/projects/${other}/jobs/${job.id}/${action}`)).toEqual(
      refused.forbidden,
    );
    expect(await as(gus).post(path)).toEqual(refused.forbidden);
    expect(await as(rita).post(path)).toEqual(refused.forbidden);
    expect((await as(dan).post(path)).status).toBe(status);
    for (const person of [ada, root]) {
      expect((await as(person).post(pathOf(await readyJob(), action))).status).toBe(status);
    }
  });

  test('an unknown job, and a job of another project, give 404', async () => {
    const { id } = await readyJob();
    const path = `/projects/${other}/jobs`;
    expect(await as(dan).post(`${path}/${id}/${action}`)).toEqual(refused.record);
    expect(await as(dan).post(`${path}/0/${action}`)).toEqual(refused.record);
    expect(await as(dan).post(`${path}/x/${action}`)).toEqual(
      refused.parameter('job_id is invalid'),
    );
  });

  test('is forbidden for protected branches, in archived projects and if jobs are disabled', async () => {
    const path = pathOf(await readyJob(), action);
    await db.protectedBranch.create({ data: { projectId: app, name: 'master' } });
    expect(await as(dan).post(path)).toEqual(refused.forbidden);
    await db.protectedBranch.deleteMany({ where: { projectId: app } });
    await db.project.update({ where: { id: app }, data: { isArchived: true } });
    expect(await as(ada).post(path)).toEqual(refused.forbidden);
    await db.project.update({
      where: { id: app },
      data: { isArchived: false, jobsEnabled: false },
    });
    expect(await as(ada).post(path)).toEqual(refused.forbidden);
    await db.project.update({ where: { id: app }, data: { jobsEnabled: true } });
    expect((await as(dan).post(path)).status).toBe(status);
  });
});

describe('POST /projects/:id/jobs/:job_id/cancel', () => {
  test('cancels a pending or running job', async () => {
    const pipeline = await createPipeline();
    const compile = await findLatestJob(pipeline, 'compile');
    expect(await as(dora).post(pathOf(compile, 'cancel'))).toEqual({
      status: 201,
      body: shape(
        { ...pipeline, status: 'canceled' },
        {
          id: compile.id,
          name: 'compile',
          stage: 'build',
          status: 'canceled',
          finished_at: instant,
        },
      ),
    });
    expect(await jobs(pipeline.id)).toBe(
      'compile: canceled, unit: skipped, lint: skipped, release: skipped',
    );
    const next = await createPipeline();
    await move(next.id, 'compile', 'running');
    const { body } = await as(dan).post(pathOf(await findLatestJob(next, 'compile'), 'cancel'));
    expect(body).toMatchObject({ status: 'canceled', started_at: instant });
  });

  test('does not change a finished job', async () => {
    const pipeline = await createPipeline();
    await finish(pipeline, 'compile', 'success');
    const job = await findLatestJob(pipeline, 'compile');
    const response = await as(dan).post(pathOf(job, 'cancel'));
    expect(response).toMatchObject({ status: 201, body: { status: 'success' } });
    expect(await findLatestJob(pipeline, 'compile')).toEqual(job);
  });
});

describe('POST /projects/:id/jobs/:job_id/retry', () => {
  test('creates a new job of the caller', async () => {
    const pipeline = await createPipeline();
    await finish(pipeline, 'compile', 'failed');
    const failed = await findLatestJob(pipeline, 'compile');
    const response = await as(dora).post(pathOf(failed, 'retry'));
    const again = await findLatestJob(pipeline, 'compile');
    expect(again.id).toBeGreaterThan(failed.id);
    expect(response).toEqual({
      status: 201,
      body: {
        ...shape(
          { ...pipeline, status: 'pending' },
          { id: again.id, name: 'compile', stage: 'build', status: 'pending' },
        ),
        user: expect.objectContaining({ username: 'dora' }),
      },
    });
    expect(await jobs(pipeline.id)).toBe(
      'compile: pending, unit: created, lint: created, release: created',
    );
  });

  test('rejects a job that has not finished or was already retried', async () => {
    const pipeline = await createPipeline();
    const waiting = await findLatestJob(pipeline, 'compile');
    expect(await as(dan).post(pathOf(waiting, 'retry'))).toEqual(denied('Job is not retryable'));
    await finish(pipeline, 'compile', 'failed');
    expect((await as(dan).post(pathOf(waiting, 'retry'))).status).toBe(201);
    expect(await as(dan).post(pathOf(waiting, 'retry'))).toEqual(denied('Job is not retryable'));
  });

  test('one of several concurrent retries succeeds', async () => {
    const pipeline = await createPipeline();
    await finish(pipeline, 'compile', 'failed');
    const path = pathOf(await findLatestJob(pipeline, 'compile'), 'retry');
    const responses = await Promise.all(
      [dan, dora, ada, root].map((person) => as(person).post(path)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 403, 403, 403]);
    expect(await db.job.count({ where: { pipelineId: pipeline.id, name: 'compile' } })).toBe(2);
  });
});

describe('POST /projects/:id/jobs/:job_id/play', () => {
  const unplayable = {
    status: 400,
    body: { message: '400 (Bad request) "Unplayable Job" not given' },
  };

  test('starts a manual job as the caller', async () => {
    const pipeline = await createSucceededPipeline();
    const job = await findLatestJob(pipeline, 'release');
    expect(await as(dora).post(pathOf(job, 'play'))).toMatchObject({
      status: 200,
      body: { id: job.id, status: 'pending', user: { username: 'dora' } },
    });
    expect(await as(dora).post(pathOf(job, 'play'))).toEqual(unplayable);
  });

  test('starts a finished manual job again', async () => {
    const pipeline = await createSucceededPipeline();
    const job = await findLatestJob(pipeline, 'release');
    await as(dan).post(pathOf(job, 'play'));
    await finish(pipeline, 'release', 'success');
    const response = await as(dan).post(pathOf(job, 'play'));
    const again = await findLatestJob(pipeline, 'release');
    expect(response).toMatchObject({ status: 200, body: { id: again.id, status: 'pending' } });
    expect(again.id).toBeGreaterThan(job.id);
    expect(await as(dan).post(pathOf(job, 'play'))).toEqual(unplayable);
  });

  test('rejects a job that is not manual or not ready', async () => {
    const pipeline = await createPipeline();
    for (const name of ['compile', 'unit', 'release']) {
      expect(await as(dan).post(pathOf(await findLatestJob(pipeline, name), 'play'))).toEqual(
        unplayable,
      );
    }
  });
});

describe('POST /projects/:id/jobs/:job_id/erase', () => {
  test('deletes trace and artifacts permanently', async () => {
    const pipeline = await createSucceededPipeline();
    const job = await findLatestJob(pipeline, 'compile');
    await jobFiles.trace(job, 'made\n');
    const { length } = await jobFiles.artifacts(job, { app: 'x' });
    const sizes = () => db.projectStatistics.findUniqueOrThrow({ where: { projectId: app } });
    const before = (await sizes()).jobArtifactsSize;
    expect(await as(dan).post(pathOf(job, 'erase'))).toEqual({
      status: 201,
      body: shape(
        { ...pipeline, status: 'success' },
        {
          id: job.id,
          name: 'compile',
          stage: 'build',
          status: 'success',
          started_at: instant,
          finished_at: instant,
          duration: expect.any(Number),
        },
      ),
    });
    expect((await sizes()).jobArtifactsSize).toBe(before - BigInt(length));
    expect(await as(dan).get(`/projects/${app}/jobs/${job.id}/trace`)).toEqual({
      status: 200,
      body: null,
    });
    expect((await as(dan).get(`/projects/${app}/jobs/${job.id}/artifacts`)).status).toBe(404);
    expect(await findLatestJob(pipeline, 'compile')).toMatchObject({ erasedAt: expect.any(Date) });
    expect(await as(dan).post(pathOf(job, 'erase'))).toEqual(denied('Job is not erasable!'));
  });

  test('rejects a job that has not finished, or has neither trace nor artifacts', async () => {
    const pipeline = await createPipeline();
    const job = await findLatestJob(pipeline, 'compile');
    await move(pipeline.id, 'compile', 'running');
    await jobFiles.trace(job, 'making\n');
    expect(await as(dan).post(pathOf(job, 'erase'))).toEqual(denied('Job is not erasable!'));
    await move(pipeline.id, 'compile', 'success');
    await finish(pipeline, 'unit', 'success');
    expect(await as(dan).post(pathOf(await findLatestJob(pipeline, 'unit'), 'erase'))).toEqual(
      denied('Job is not erasable!'),
    );
  });

  test('is forbidden for developers who did not start the job', async () => {
    const job = await findLatestJob(await createSucceededPipeline(), 'compile');
    await jobFiles.trace(job, 'made\n');
    expect(await as(dora).post(pathOf(job, 'erase'))).toEqual(refused.forbidden);
    expect((await as(ada).post(pathOf(job, 'erase'))).status).toBe(201);
  });
});

describe('POST /projects/:id/jobs/:job_id/artifacts/keep', () => {
  test('clears the expiry date', async () => {
    const job = await findLatestJob(await createSucceededPipeline(), 'compile');
    await jobFiles.artifacts(job, { app: 'x' }, new Date(Date.now() + 60_000));
    expect(await as(dora).post(pathOf(job, 'artifacts/keep'))).toMatchObject({
      status: 200,
      body: { id: job.id, artifacts_file: {}, artifacts_expire_at: null },
    });
  });

  test('missing and expired artifacts give 404', async () => {
    const notFound = { status: 404, body: { message: '404 Not Found' } };
    const job = await findLatestJob(await createSucceededPipeline(), 'compile');
    expect(await as(dan).post(pathOf(job, 'artifacts/keep'))).toEqual(notFound);
    await jobFiles.artifacts(job, { app: 'x' }, new Date(0));
    expect(await as(dan).post(pathOf(job, 'artifacts/keep'))).toEqual(notFound);
  });
});

describe('DELETE /projects/:id/jobs/:job_id/artifacts', () => {
  test('deletes the artifacts and keeps the trace', async () => {
    const job = await findLatestJob(await createSucceededPipeline(), 'compile');
    await jobFiles.trace(job, 'made\n');
    await jobFiles.artifacts(job, { app: 'x' });
    const path = pathOf(job, 'artifacts');
    expect(await as(null).delete(path)).toEqual(refused.anonymous);
    expect(await as(sam).delete(path)).toEqual(refused.missing('Project'));
    expect(await as(rita).delete(path)).toEqual(refused.forbidden);
    expect(await as(dora).delete(path)).toEqual(refused.forbidden);
    expect(await as(dan).delete(path)).toEqual({ status: 204, body: null });
    const notFound = { status: 404, body: { message: '404 Not Found' } };
    expect(await as(dan).delete(path)).toEqual(notFound);
    expect(await as(dan).get(path)).toEqual(notFound);
    expect(await as(dan).get(pathOf(job, 'trace'))).toEqual({ status: 200, body: 'made\n' });
    expect(await as(dan).delete(pathOf({ id: 0 }, 'artifacts'))).toEqual(refused.record);
  });
});
