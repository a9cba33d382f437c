import { describe, expect, test } from 'vitest';
import { ciOf, pipelineShape } from '../support/ci.ts';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db } = testWorld;
const { projectWithCi, move, retry, jobs, deletePushPipelines } = await ciOf(testWorld);
const ada = await seed.user('ada');
const dan = await seed.user('dan');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const sam = await seed.user('sam');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const roles = { developer: dan, reporter: rita, guest: gus };

const { id: app, sha } = await projectWithCi('acme/app', roles);
const list = `/projects/${app}/pipelines`;
const { id: other } = await seed.project('acme/other', roles, { visibility: 'public' });

const shape = (overrides: object) => ({ ...pipelineShape(url, { sha, user: dan }), ...overrides });

async function createPipeline(): Promise<number> {
  const { status, body } = await as(dan).post(`/projects/${app}/pipeline`, { ref: 'master' });
  expect(status).toBe(201);
  return (body as { id: number }).id;
}

/** A pipeline that failed in its first stage. */
async function createFailedPipeline(): Promise<number> {
  const id = await createPipeline();
  await move(id, 'compile', 'running');
  await move(id, 'compile', 'failed', { failure: 'script_failure' });
  return id;
}

const actions = ['retry', 'cancel'] as const;

describe.each(actions)('POST /projects/:id/pipelines/:pipeline_id/%s', (action) => {
  test('requires a developer', async () => {
    const id = await createPipeline();
    const path = `${list}/${id}/${action}`;
    expect(await as(null).post(path)).toEqual(refused.anonymous);
    expect(await as(sam).post(path)).toEqual(refused.missing('Project'));
    expect(await as(sam).post(`/projects/${other}/pipelines/${id}/${action}`)).toEqual(
      refused.forbidden,
    );
    expect(await as(gus).post(path)).toEqual(refused.forbidden);
    expect(await as(rita).post(path)).toEqual(refused.forbidden);
    const status = action === 'retry' ? 201 : 200;
    for (const person of [dan, ada, root]) {
      expect((await as(person).post(path)).status).toBe(status);
    }
  });

  test('an unknown pipeline, and a pipeline of another project, give 404', async () => {
    const id = await createPipeline();
    const path = `/projects/${other}/pipelines`;
    expect(await as(dan).post(`${path}/${id}/${action}`)).toEqual(refused.record);
    expect(await as(dan).post(`${list}/0/${action}`)).toEqual(refused.record);
    expect(await as(dan).post(`${list}/x/${action}`)).toEqual(
      refused.parameter('pipeline_id is invalid'),
    );
  });

  test('is forbidden for a protected branch', async () => {
    const id = await createFailedPipeline();
    const rule = { projectId: app, name: 'master', pushAccessLevel: 40, mergeAccessLevel: 40 };
    await db.protectedBranch.create({ data: rule });
    expect(await as(dan).post(`${list}/${id}/${action}`)).toEqual(refused.forbidden);
    expect((await as(ada).post(`${list}/${id}/${action}`)).status).toBeLessThan(300);
    await db.protectedBranch.deleteMany({ where: { projectId: app } });
  });

  test('is forbidden in archived projects and if jobs are disabled', async () => {
    const id = await createFailedPipeline();
    await as(ada).put(`/projects/${app}`, { jobs_enabled: false });
    expect(await as(dan).post(`${list}/${id}/${action}`)).toEqual(refused.forbidden);
    await as(ada).put(`/projects/${app}`, { jobs_enabled: true });
    await as(ada).post(`/projects/${app}/archive`);
    expect(await as(dan).post(`${list}/${id}/${action}`)).toEqual(refused.forbidden);
    await as(ada).post(`/projects/${app}/unarchive`);
  });
});

describe('POST /projects/:id/pipelines/:pipeline_id/retry', () => {
  test('creates new jobs for failed jobs and resets skipped jobs', async () => {
    const id = await createFailedPipeline();
    const before = await db.job.findMany({ where: { pipelineId: id }, orderBy: { id: 'asc' } });
    const response = await as(ada).post(`${list}/${id}/retry`);
    expect(response).toEqual({
      status: 201,
      body: shape({ id, started_at: instant, finished_at: instant }),
    });
    expect(await jobs(id)).toBe('compile: pending, unit: created, lint: created, release: created');
    const after = await db.job.findMany({ where: { pipelineId: id }, orderBy: { id: 'asc' } });
    const [retried] = before;
    const clone = after.at(-1);
    expect(after[0]).toMatchObject({ id: retried?.id, status: 'failed', isRetried: true });
    expect(clone).toMatchObject({
      name: 'compile',
      status: 'pending',
      isRetried: false,
      userId: ada.id,
      failure: null,
      startedAt: null,
      finishedAt: null,
      runnerId: null,
      tokenDigest: null,
      definition: retried?.definition,
    });
    expect(after).toHaveLength(before.length + 1);
  });

  test('keeps successful jobs; the pipeline is pending again', async () => {
    const id = await createPipeline();
    await move(id, 'compile', 'success');
    await move(id, 'unit', 'failed');
    await move(id, 'lint', 'success');
    expect(await as(dan).post(`${list}/${id}/retry`)).toMatchObject({
      status: 201,
      body: { id, status: 'pending' },
    });
    expect(await jobs(id)).toBe('compile: success, lint: success, unit: pending, release: created');
    await move(id, 'unit', 'running');
    expect((await as(dan).get(`${list}/${id}`)).body).toMatchObject({ status: 'running' });
    await move(id, 'unit', 'success');
    expect(await jobs(id)).toBe('compile: success, lint: success, unit: success, release: manual');
    expect((await as(dan).get(`${list}/${id}`)).body).toMatchObject({ status: 'success' });
  });

  test('retries canceled jobs, and failed jobs that are allowed to fail', async () => {
    const id = await createPipeline();
    await as(dan).post(`${list}/${id}/cancel`);
    await as(dan).post(`${list}/${id}/retry`);
    expect(await jobs(id)).toBe('compile: pending, unit: created, lint: created, release: created');
    await move(id, 'compile', 'success');
    await move(id, 'unit', 'success');
    await move(id, 'lint', 'failed');
    await as(dan).post(`${list}/${id}/retry`);
    expect(await jobs(id)).toBe('compile: success, unit: success, lint: pending, release: manual');
  });

  test('does not change a pipeline without failed jobs', async () => {
    const id = await createPipeline();
    const { body } = await as(dan).get(`${list}/${id}`);
    expect(await as(dan).post(`${list}/${id}/retry`)).toEqual({ status: 201, body });
  });
});

describe('a retried job', () => {
  test('is pending immediately, and skipped later jobs are reset', async () => {
    const id = await createFailedPipeline();
    expect(await retry(id, 'compile', ada)).toBe(true);
    expect(await jobs(id)).toBe('compile: pending, unit: created, lint: created, release: created');
    expect(await retry(id, 'compile', ada)).toBe(false);
    expect(await retry(id, 'unit', ada)).toBe(false);
  });

  test('does not change finished later jobs', async () => {
    const id = await createPipeline();
    for (const name of ['compile', 'unit', 'lint']) await move(id, name, 'success');
    expect(await retry(id, 'compile', dan)).toBe(true);
    expect(await jobs(id)).toBe('compile: pending, unit: success, lint: success, release: manual');
    expect((await as(dan).get(`${list}/${id}`)).body).toMatchObject({ status: 'running' });
  });

  test('is created once by concurrent retries', async () => {
    const id = await createFailedPipeline();
    const retried = await Promise.all([1, 2, 3, 4].map(() => retry(id, 'compile', dan)));
    expect(retried.filter(Boolean)).toHaveLength(1);
  });
});

describe('a job that fails', () => {
  test('is retried automatically as often as configured', async () => {
    const { id: project } = await seed.project('acme/trying');
    await seed.push('acme/trying', { '.gitlab-ci.yml': 'unit: { script: test, retry: 2 }' });
    await deletePushPipelines(project);
    const response = await as(root).post(`/projects/${project}/pipeline`, { ref: 'master' });
    const { id } = response.body as { id: number };
    const path = `/projects/${project}/pipelines/${id}`;
    for (const status of ['running', 'running', 'failed']) {
      await move(id, 'unit', 'running');
      await move(id, 'unit', 'failed');
      const shown = status === 'running' ? 'pending' : status;
      expect((await as(root).get(path)).body).toMatchObject({ status: shown });
    }
    expect(await db.job.count({ where: { pipelineId: id } })).toBe(3);
  });
});

describe('POST /projects/:id/pipelines/:pipeline_id/cancel', () => {
  test('cancels all jobs that have not finished', async () => {
    const id = await createPipeline();
    expect(await as(dan).post(`${list}/${id}/cancel`)).toEqual({
      status: 200,
      body: shape({ id, status: 'canceled', finished_at: instant }),
    });
    expect(await jobs(id)).toBe(
      'compile: canceled, unit: canceled, lint: canceled, release: canceled',
    );
  });

  test('cancels running jobs, which can no longer finish', async () => {
    const id = await createPipeline();
    await move(id, 'compile', 'running');
    expect(await as(dan).post(`${list}/${id}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'canceled' },
    });
    expect(await move(id, 'compile', 'success')).toBe(false);
    expect(await jobs(id)).toContain('compile: canceled');
  });

  test('the status is canceled despite failed jobs, which stay failed', async () => {
    const id = await createPipeline();
    await move(id, 'compile', 'success');
    await move(id, 'unit', 'failed');
    expect(await as(dan).post(`${list}/${id}/cancel`)).toMatchObject({
      body: { status: 'canceled' },
    });
    expect(await jobs(id)).toBe(
      'compile: success, unit: failed, lint: canceled, release: canceled',
    );
  });

  test('cancels a pipeline that waits for manual jobs', async () => {
    const id = await createPipeline();
    const unit = await db.job.findFirstOrThrow({ where: { pipelineId: id, name: 'unit' } });
    await db.job.updateMany({
      where: { pipelineId: id, NOT: { id: unit.id } },
      data: { status: 'success', finishedAt: new Date() },
    });
    const waiting = { status: 'manual', when: 'manual', isAllowedToFail: false } as const;
    await db.job.update({ where: { id: unit.id }, data: waiting });
    await db.pipeline.update({ where: { id }, data: { status: 'manual' } });
    expect(await as(dan).post(`${list}/${id}/cancel`)).toMatchObject({
      status: 200,
      body: { id, status: 'canceled', finished_at: instant },
    });
    expect(await jobs(id)).toContain('unit: canceled');
    const response = await as(dan).get(`${list}/${id}`);
    expect(await as(dan).post(`${list}/${id}/cancel`)).toEqual(response);
  });

  test('finished_at is never before created_at, even if clocks differ', async () => {
    const id = await createPipeline();
    const createdAt = new Date(Date.now() + 3_600_000);
    await db.pipeline.update({ where: { id }, data: { createdAt } });
    await db.job.updateMany({ where: { pipelineId: id }, data: { createdAt } });
    expect(await as(dan).post(`${list}/${id}/cancel`)).toMatchObject({
      body: { created_at: createdAt.toISOString(), finished_at: createdAt.toISOString() },
    });
    const { body } = await as(dan).get(`${list}/${id}/jobs`);
    const ends = (body as { finished_at: string }[]).map((job) => job.finished_at);
    expect([...new Set(ends)]).toEqual([createdAt.toISOString()]);
  });

  test('does not change a finished pipeline', async () => {
    const id = await createFailedPipeline();
    const { body } = await as(dan).get(`${list}/${id}`);
    expect(await as(dan).post(`${list}/${id}/cancel`)).toEqual({ status: 200, body });
  });
});
