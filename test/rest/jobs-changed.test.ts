import { describe, expect, test } from 'vitest';
import { ciFile, ciOf, jobShape } from '../support/ci.ts';
import { jobFilesOf } from '../support/job-files.ts';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const here = await world();
const { as, seed, root, url, db } = here;
const { move, jobs, deletePushPipelines } = await ciOf(here);
const kept = jobFilesOf(here);
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

/** A pipeline that Dan makes of `master`. */
async function made(): Promise<Pipeline> {
  const { status, body } = await as(dan).post(`/projects/${app}/pipeline`, { ref: 'master' });
  expect(status).toBe(201);
  return body as Pipeline;
}

/** The job of a name, unless it was tried again. */
async function jobIn({ id: pipelineId }: Pipeline, name: string) {
  return db.job.findFirstOrThrow({ where: { pipelineId, name, isRetried: false } });
}

async function end({ id }: Pipeline, name: string, to: 'success' | 'failed') {
  await move(id, name, 'running');
  await move(id, name, to);
}

/** One of which all that runs by itself has succeeded. */
async function built(): Promise<Pipeline> {
  const pipeline = await made();
  for (const name of ['compile', 'unit', 'lint']) await end(pipeline, name, 'success');
  return pipeline;
}

const pathOf = ({ id }: { id: number }, action: string) => `/projects/${app}/jobs/${id}/${action}`;

const shape = (pipeline: Pipeline & { status: string }, traits: object) => ({
  ...jobShape(url, { sha, user: dan, pipeline, fullPath: 'acme/app' }),
  ...traits,
});

const denied = (why: string) => ({ status: 403, body: { message: `403 Forbidden - ${why}` } });

/** What each action is asked of, and how it is answered. */
const actions = [
  ['cancel', 201, async () => jobIn(await made(), 'compile')],
  [
    'retry',
    201,
    async () => {
      const pipeline = await made();
      await end(pipeline, 'compile', 'failed');
      return jobIn(pipeline, 'compile');
    },
  ],
  ['play', 200, async () => jobIn(await built(), 'release')],
  [
    'erase',
    201,
    async () => {
      const job = await jobIn(await built(), 'unit');
      await kept.trace(job, 'tested\n');
      return job;
    },
  ],
  [
    'artifacts/keep',
    200,
    async () => {
      const job = await jobIn(await built(), 'compile');
      await kept.artifacts(job, { app: 'x' }, new Date(Date.now() + 60_000));
      return job;
    },
  ],
] as const;

describe.each(actions)('POST /projects/:id/jobs/:job_id/%s', (action, status, ready) => {
  test('is for developers, masters and administrators only', async () => {
    const job = await ready();
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
      expect((await as(person).post(pathOf(await ready(), action))).status).toBe(status);
    }
  });

  test('knows no job of another project, and no words', async () => {
    const { id } = await ready();
    const path = `/projects/${other}/jobs`;
    expect(await as(dan).post(`${path}/${id}/${action}`)).toEqual(refused.record);
    expect(await as(dan).post(`${path}/0/${action}`)).toEqual(refused.record);
    expect(await as(dan).post(`${path}/x/${action}`)).toEqual(
      refused.parameter('job_id is invalid'),
    );
  });

  test('is refused for a branch that the caller may not change, and where nothing runs', async () => {
    const path = pathOf(await ready(), action);
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
  test('ends what waits, runs or has not begun', async () => {
    const pipeline = await made();
    const compile = await jobIn(pipeline, 'compile');
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
    const next = await made();
    await move(next.id, 'compile', 'running');
    const { body } = await as(dan).post(pathOf(await jobIn(next, 'compile'), 'cancel'));
    expect(body).toMatchObject({ status: 'canceled', started_at: instant });
  });

  test('leaves what has ended as it is', async () => {
    const pipeline = await made();
    await end(pipeline, 'compile', 'success');
    const job = await jobIn(pipeline, 'compile');
    const answer = await as(dan).post(pathOf(job, 'cancel'));
    expect(answer).toMatchObject({ status: 201, body: { status: 'success' } });
    expect(await jobIn(pipeline, 'compile')).toEqual(job);
  });
});

describe('POST /projects/:id/jobs/:job_id/retry', () => {
  test('makes a further job for whoever asks', async () => {
    const pipeline = await made();
    await end(pipeline, 'compile', 'failed');
    const failed = await jobIn(pipeline, 'compile');
    const answer = await as(dora).post(pathOf(failed, 'retry'));
    const again = await jobIn(pipeline, 'compile');
    expect(again.id).toBeGreaterThan(failed.id);
    expect(answer).toEqual({
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

  test('refuses what has not ended, and what was tried again already', async () => {
    const pipeline = await made();
    const waiting = await jobIn(pipeline, 'compile');
    expect(await as(dan).post(pathOf(waiting, 'retry'))).toEqual(denied('Job is not retryable'));
    await end(pipeline, 'compile', 'failed');
    expect((await as(dan).post(pathOf(waiting, 'retry'))).status).toBe(201);
    expect(await as(dan).post(pathOf(waiting, 'retry'))).toEqual(denied('Job is not retryable'));
  });

  test('is done once, however many ask at once', async () => {
    const pipeline = await made();
    await end(pipeline, 'compile', 'failed');
    const path = pathOf(await jobIn(pipeline, 'compile'), 'retry');
    const answers = await Promise.all([dan, dora, ada, root].map((one) => as(one).post(path)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403, 403, 403]);
    expect(await db.job.count({ where: { pipelineId: pipeline.id, name: 'compile' } })).toBe(2);
  });
});

describe('POST /projects/:id/jobs/:job_id/play', () => {
  const unplayable = {
    status: 400,
    body: { message: '400 (Bad request) "Unplayable Job" not given' },
  };

  test('starts what waits for somebody, who it runs for from then on', async () => {
    const pipeline = await built();
    const job = await jobIn(pipeline, 'release');
    expect(await as(dora).post(pathOf(job, 'play'))).toMatchObject({
      status: 200,
      body: { id: job.id, status: 'pending', user: { username: 'dora' } },
    });
    expect(await as(dora).post(pathOf(job, 'play'))).toEqual(unplayable);
  });

  test('starts what was started by hand again, once it has ended', async () => {
    const pipeline = await built();
    const job = await jobIn(pipeline, 'release');
    await as(dan).post(pathOf(job, 'play'));
    await end(pipeline, 'release', 'success');
    const answer = await as(dan).post(pathOf(job, 'play'));
    const again = await jobIn(pipeline, 'release');
    expect(answer).toMatchObject({ status: 200, body: { id: again.id, status: 'pending' } });
    expect(again.id).toBeGreaterThan(job.id);
    expect(await as(dan).post(pathOf(job, 'play'))).toEqual(unplayable);
  });

  test('refuses what runs by itself, and what has not its turn', async () => {
    const pipeline = await made();
    for (const name of ['compile', 'unit', 'release']) {
      expect(await as(dan).post(pathOf(await jobIn(pipeline, name), 'play'))).toEqual(unplayable);
    }
  });
});

describe('POST /projects/:id/jobs/:job_id/erase', () => {
  test('removes trace and artifacts for good', async () => {
    const pipeline = await built();
    const job = await jobIn(pipeline, 'compile');
    await kept.trace(job, 'made\n');
    const { length } = await kept.artifacts(job, { app: 'x' });
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
    expect(await jobIn(pipeline, 'compile')).toMatchObject({ erasedAt: expect.any(Date) });
    expect(await as(dan).post(pathOf(job, 'erase'))).toEqual(denied('Job is not erasable!'));
  });

  test('refuses what has not ended, and what left nothing', async () => {
    const pipeline = await made();
    const job = await jobIn(pipeline, 'compile');
    await move(pipeline.id, 'compile', 'running');
    await kept.trace(job, 'making\n');
    expect(await as(dan).post(pathOf(job, 'erase'))).toEqual(denied('Job is not erasable!'));
    await move(pipeline.id, 'compile', 'success');
    await end(pipeline, 'unit', 'success');
    expect(await as(dan).post(pathOf(await jobIn(pipeline, 'unit'), 'erase'))).toEqual(
      denied('Job is not erasable!'),
    );
  });

  test('is refused to developers for whom it did not run', async () => {
    const job = await jobIn(await built(), 'compile');
    await kept.trace(job, 'made\n');
    expect(await as(dora).post(pathOf(job, 'erase'))).toEqual(refused.forbidden);
    expect((await as(ada).post(pathOf(job, 'erase'))).status).toBe(201);
  });
});

describe('POST /projects/:id/jobs/:job_id/artifacts/keep', () => {
  test('takes the day away on which they would go', async () => {
    const job = await jobIn(await built(), 'compile');
    await kept.artifacts(job, { app: 'x' }, new Date(Date.now() + 60_000));
    expect(await as(dora).post(pathOf(job, 'artifacts/keep'))).toMatchObject({
      status: 200,
      body: { id: job.id, artifacts_file: {}, artifacts_expire_at: null },
    });
  });

  test('refuses where there are none, or none any more', async () => {
    const nothing = { status: 404, body: { message: '404 Not Found' } };
    const job = await jobIn(await built(), 'compile');
    expect(await as(dan).post(pathOf(job, 'artifacts/keep'))).toEqual(nothing);
    await kept.artifacts(job, { app: 'x' }, new Date(0));
    expect(await as(dan).post(pathOf(job, 'artifacts/keep'))).toEqual(nothing);
  });
});

describe('DELETE /projects/:id/jobs/:job_id/artifacts', () => {
  test('removes the artifacts and leaves the trace', async () => {
    const job = await jobIn(await built(), 'compile');
    await kept.trace(job, 'made\n');
    await kept.artifacts(job, { app: 'x' });
    const path = pathOf(job, 'artifacts');
    expect(await as(null).delete(path)).toEqual(refused.anonymous);
    expect(await as(sam).delete(path)).toEqual(refused.missing('Project'));
    expect(await as(rita).delete(path)).toEqual(refused.forbidden);
    expect(await as(dora).delete(path)).toEqual(refused.forbidden);
    expect(await as(dan).delete(path)).toEqual({ status: 204, body: null });
    const nothing = { status: 404, body: { message: '404 Not Found' } };
    expect(await as(dan).delete(path)).toEqual(nothing);
    expect(await as(dan).get(path)).toEqual(nothing);
    expect(await as(dan).get(pathOf(job, 'trace'))).toEqual({ status: 200, body: 'made\n' });
    expect(await as(dan).delete(pathOf({ id: 0 }, 'artifacts'))).toEqual(refused.record);
  });
});
