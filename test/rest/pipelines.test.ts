import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ciFile, ciOf, pipelineShape } from '../support/ci.ts';
import { commit, git, temporaryFolder, workTree } from '../support/git.ts';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db, remote } = testWorld;
const { projectWithCi, move, jobs, deletePushPipelines } = await ciOf(testWorld);
const ada = await seed.user('ada');
const dan = await seed.user('dan');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const sam = await seed.user('sam');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const roles = { developer: dan, reporter: rita, guest: gus };

/** Creates a project with a CI file and without pipelines. */
async function createProject(path: string, settings: object = {}) {
  const { id, sha } = await projectWithCi(`acme/${path}`, roles, settings);
  return { id, sha, list: `/projects/${id}/pipelines`, create: `/projects/${id}/pipeline` };
}

interface Pipeline {
  readonly id: number;
  readonly status: string;
}

const app = await createProject('app');
const open = await createProject('open', { visibility: 'public' });
const closed = await createProject('closed', { visibility: 'public', public_jobs: false });
const empty = await seed.project('acme/empty', roles);

const shape = (overrides: object = {}) => ({
  ...pipelineShape(url, { sha: app.sha, user: dan }),
  ...overrides,
});

/** Dan creates a pipeline of `master`. */
async function createPipeline(project = app): Promise<Pipeline> {
  const { status, body } = await as(dan).post(project.create, { ref: 'master' });
  expect(status).toBe(201);
  return body as Pipeline;
}

/** The number of projects with an invalid file. */
let invalidCount = 0;

const base = (text: string) => refused.invalid({ base: [text] });

describe('POST /projects/:id/pipeline', () => {
  test('creates a pipeline with a pending first stage', async () => {
    const response = await as(dan).post(app.create, { ref: 'master' });
    expect(response).toEqual({ status: 201, body: shape() });
    const { id } = response.body as Pipeline;
    expect(await jobs(id)).toBe('compile: pending, unit: created, lint: created, release: created');
    const [job] = await db.job.findMany({ where: { pipelineId: id }, orderBy: { id: 'asc' } });
    expect(job).toMatchObject({
      projectId: app.id,
      name: 'compile',
      stage: 'build',
      stageIndex: 0,
      userId: dan.id,
      isProtected: false,
      queuedAt: expect.any(Date),
      startedAt: null,
      definition: { name: 'compile', script: ['make'], retries: 0 },
    });
  });

  test('requires a developer', async () => {
    const body = { ref: 'master' };
    expect(await as(null).post(app.create, body)).toEqual(refused.anonymous);
    expect(await as(sam).post(app.create, body)).toEqual(refused.missing('Project'));
    expect(await as(sam).post(open.create, body)).toEqual(refused.forbidden);
    expect(await as(gus).post(app.create, body)).toEqual(refused.forbidden);
    expect(await as(rita).post(app.create, body)).toEqual(refused.forbidden);
    expect((await as(ada).post(app.create, body)).status).toBe(201);
    expect((await as(root).post(app.create, body)).status).toBe(201);
    expect(await as(dan).post('/projects/nowhere%2Fat-all/pipeline', body)).toEqual(
      refused.missing('Project'),
    );
  });

  test('requires a ref', async () => {
    expect(await as(dan).post(app.create)).toEqual(refused.parameter('ref is missing'));
    expect(await as(null).post(app.create)).toEqual(refused.anonymous);
    expect(await as(sam).post(app.create)).toEqual(refused.parameter('ref is missing'));
  });

  test('accepts short and full names of branches and tags, and commits', async () => {
    const { id, create, sha } = await createProject('named');
    const work = await temporaryFolder();
    await git(work, 'clone', '--quiet', remote('acme/named', root), '.');
    await git(work, 'tag', 'v1');
    await git(work, 'tag', '--annotate', '--message=first', 'v2');
    await git(work, 'push', '--quiet', 'origin', 'v1', 'v2', 'master:refs/heads/a/b');
    await rm(work, { recursive: true });
    await deletePushPipelines(id, 3);
    const cases = [
      ['a/b', 'a/b', false],
      ['refs/heads/a/b', 'a/b', false],
      ['v1', 'v1', true],
      ['refs/tags/v1', 'v1', true],
      ['v2', 'v2', true],
      [sha, sha, false],
      [sha.slice(0, 10), sha, false],
      ['HEAD', 'master', false],
    ] as const;
    for (const [refName, ref, tag] of cases) {
      const response = await as(dan).post(create, { ref: refName });
      expect(response).toEqual({ status: 201, body: shape({ sha, ref, tag }) });
    }
  });

  test.each(['nowhere', 'master~0', '', '--all', 'a..b', 'refs/heads/', '0'.repeat(40)])(
    'rejects %j as a ref',
    async (ref) => {
      expect(await as(dan).post(app.create, { ref })).toEqual(base('Reference not found'));
    },
  );

  test('rejects a tag that is not a commit', async () => {
    const { create } = await createProject('blobs');
    const work = await temporaryFolder();
    await git(work, 'clone', '--quiet', remote('acme/blobs', root), '.');
    await git(work, 'tag', 'blob', await git(work, 'rev-parse', 'HEAD:.gitlab-ci.yml'));
    await git(work, 'push', '--quiet', 'origin', 'blob');
    await rm(work, { recursive: true });
    expect(await as(dan).post(create, { ref: 'blob' })).toEqual(base('Commit not found'));
  });

  test('rejects a commit without a CI file, with the configured path', async () => {
    expect(await as(dan).post(`/projects/${empty.id}/pipeline`, { ref: 'master' })).toEqual(
      base('Reference not found'),
    );
    await seed.push('acme/empty', { 'README.md': '# Empty' });
    await db.protectedBranch.deleteMany({ where: { projectId: empty.id } });
    const create = `/projects/${empty.id}/pipeline`;
    expect(await as(dan).post(create, { ref: 'master' })).toEqual(
      base('Missing .gitlab-ci.yml file'),
    );
    await as(ada).put(`/projects/${empty.id}`, { ci_config_path: 'ci/all.yml' });
    expect(await as(dan).post(create, { ref: 'master' })).toEqual(base('Missing ci/all.yml file'));
  });

  test.each([
    ['jobs: [', 'Flow sequence in block collection must be sufficiently indented'],
    ['job: {}', "jobs:job script can't be blank"],
    ['job: { script: a, foo: b }', 'jobs:job config contains unknown keys: foo'],
    ['job: { script: a, stage: x }', 'job job: stage parameter should be build, test, deploy'],
    ['- a', 'Invalid configuration format'],
    ['job: { script: a, only: [tags] }', 'No stages / jobs for this pipeline.'],
    ['job: { script: a, only: [pushes] }', 'No stages / jobs for this pipeline.'],
  ])('rejects the file %j and stores nothing', async (content, text) => {
    invalidCount += 1;
    const { id } = await seed.project(`acme/wrong-${invalidCount}`, roles);
    await db.project.update({ where: { id }, data: { jobsEnabled: false } });
    await seed.push(`acme/wrong-${invalidCount}`, { 'ci.yml': content });
    await db.project.update({
      where: { id },
      data: { jobsEnabled: true, ciConfigPath: 'ci.yml' },
    });
    const response = await as(root).post(`/projects/${id}/pipeline`, { ref: 'master' });
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(JSON.stringify(text).slice(1, -1));
    expect(await db.pipeline.count({ where: { projectId: id, source: 'api' } })).toBe(0);
  });

  test('is rejected in archived projects and if jobs are disabled', async () => {
    const { id, create } = await createProject('disabled');
    await as(ada).put(`/projects/${id}`, { jobs_enabled: false });
    expect(await as(dan).post(create, { ref: 'master' })).toEqual(base('Pipelines are disabled!'));
    await as(ada).put(`/projects/${id}`, { jobs_enabled: true });
    await as(ada).post(`/projects/${id}/archive`);
    expect(await as(ada).post(create, { ref: 'master' })).toEqual(refused.forbidden);
  });

  test('a protected branch requires permission to push or merge', async () => {
    const { id, create } = await createProject('protected');
    const rule = { projectId: id, name: 'mas*', pushAccessLevel: 40, mergeAccessLevel: 40 };
    await db.protectedBranch.create({ data: rule });
    expect(await as(dan).post(create, { ref: 'master' })).toEqual(
      base("Insufficient permissions for protected ref 'master'"),
    );
    expect((await as(ada).post(create, { ref: 'master' })).status).toBe(201);
    await db.protectedBranch.updateMany({
      where: { projectId: id },
      data: { mergeAccessLevel: 30 },
    });
    const { status, body } = await as(dan).post(create, { ref: 'master' });
    expect(status).toBe(201);
    const { id: pipelineId } = body as Pipeline;
    const protections = await db.job.findMany({
      where: { pipelineId },
      select: { isProtected: true },
    });
    expect(protections).toEqual(Array(4).fill({ isProtected: true }));
  });

  test('ignores [ci skip] in the commit message', async () => {
    const { id } = await seed.project('acme/skipping', roles);
    const work = await workTree({});
    const sha = await commit(work, { '.gitlab-ci.yml': ciFile }, 'Try nothing [ci skip]');
    await git(work, 'push', '--quiet', remote('acme/skipping', root), 'master:topic');
    await rm(work, { recursive: true });
    await deletePushPipelines(id);
    await db.protectedBranch.deleteMany({ where: { projectId: id } });
    expect(await as(dan).post(`/projects/${id}/pipeline`, { ref: 'topic' })).toEqual({
      status: 201,
      body: shape({ sha, ref: 'topic' }),
    });
  });
});

describe('GET /projects/:id/pipelines/:pipeline_id', () => {
  test('requires a signed-in user who can see the project', async () => {
    const { id } = await createPipeline();
    const response = { status: 200, body: shape({ id }) };
    for (const person of [gus, rita, dan, ada, root]) {
      expect(await as(person).get(`${app.list}/${id}`)).toEqual(response);
    }
    expect(await as(null).get(`${app.list}/${id}`)).toEqual(refused.anonymous);
    expect(await as(sam).get(`${app.list}/${id}`)).toEqual(refused.missing('Project'));
  });

  test('is forbidden for guests and non-members if jobs are not public', async () => {
    const { id } = await createPipeline(closed);
    for (const person of [sam, gus]) {
      expect(await as(person).get(`${closed.list}/${id}`)).toEqual(refused.forbidden);
    }
    expect((await as(rita).get(`${closed.list}/${id}`)).status).toBe(200);
    const { id: openId } = await createPipeline(open);
    expect((await as(sam).get(`${open.list}/${openId}`)).status).toBe(200);
    expect(await as(null).get(`${open.list}/${openId}`)).toEqual(refused.anonymous);
  });

  test('an unknown pipeline, and a pipeline of another project, give 404', async () => {
    const { id } = await createPipeline(open);
    expect(await as(dan).get(`${app.list}/${id}`)).toEqual(refused.record);
    expect(await as(dan).get(`${app.list}/0`)).toEqual(refused.record);
    expect(await as(dan).get(`${app.list}/99999999999`)).toEqual(refused.record);
    expect(await as(dan).get(`${app.list}/newest`)).toEqual(
      refused.parameter('pipeline_id is invalid'),
    );
  });

  test('shows the current status, duration and coverage', async () => {
    const { id } = await createPipeline();
    const now = async () => (await as(dan).get(`${app.list}/${id}`)).body;
    await move(id, 'compile', 'running');
    expect(await now()).toEqual(
      shape({ id, status: 'running', started_at: instant, duration: expect.any(Number) }),
    );
    await move(id, 'compile', 'success', { coverage: 20 });
    expect(await jobs(id)).toBe('compile: success, unit: pending, lint: pending, release: created');
    for (const name of ['unit', 'lint']) await move(id, name, 'running');
    await move(id, 'unit', 'success', { coverage: 40.5 });
    await move(id, 'lint', 'failed', { failure: 'script_failure' });
    expect(await jobs(id)).toBe('compile: success, unit: success, lint: failed, release: manual');
    expect(await now()).toEqual(
      shape({
        id,
        status: 'success',
        started_at: instant,
        finished_at: instant,
        duration: expect.any(Number),
        coverage: '30.25',
      }),
    );
    await move(id, 'release', 'pending');
    expect(await now()).toMatchObject({ status: 'running' });
    await move(id, 'release', 'running');
    await move(id, 'release', 'failed');
    expect(await now()).toMatchObject({ status: 'success' });
  });

  test('fails with a failed job, and later stages are skipped', async () => {
    const { id } = await createPipeline();
    await move(id, 'compile', 'running');
    await move(id, 'compile', 'failed');
    expect(await jobs(id)).toBe('compile: failed, unit: skipped, lint: skipped, release: skipped');
    expect((await as(dan).get(`${app.list}/${id}`)).body).toMatchObject({ status: 'failed' });
  });

  test('rejects invalid status changes of a job', async () => {
    const { id } = await createPipeline();
    expect(await move(id, 'unit', 'running')).toBe(false);
    expect(await move(id, 'compile', 'created')).toBe(false);
    expect(await move(id, 'compile', 'running')).toBe(true);
    expect(await move(id, 'compile', 'running')).toBe(false);
    expect(await move(id, 'compile', 'success')).toBe(true);
    expect(await move(id, 'compile', 'failed')).toBe(false);
    expect((await as(dan).get(`${app.list}/${id}`)).body).toMatchObject({ status: 'running' });
  });
});
