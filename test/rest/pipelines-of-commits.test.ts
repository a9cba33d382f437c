import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { commit, git, workTree } from '../support/git.ts';
import { instant } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, db, remote } = testWorld;
const { move } = await ciOf(testWorld);
const dan = await seed.user('dan');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
await seed.group('acme', {}, { visibility: 'public' });
const roles = { master: dan, reporter: rita, guest: gus };

const file = 'unit: { script: test }';
const folder = await workTree({ '.gitlab-ci.yml': file });
afterAll(() => rm(folder, { recursive: true }));

/** Creates a project with a pipeline of `master`, created by a push. */
async function pushedProject(path: string, settings: object = {}) {
  const { id } = await seed.project(path, roles, { visibility: 'public', ...settings });
  await git(folder, 'push', '--quiet', remote(path, root), 'master');
  return { id, pipeline: await pipelineOf(id, await git(folder, 'rev-parse', 'master')) };
}

/** Waits for the pipeline of a commit, which a background job creates after a push. */
async function pipelineOf(projectId: number, sha: string): Promise<number> {
  const findPipeline = () =>
    db.pipeline.findFirst({ where: { projectId, sha }, orderBy: { id: 'desc' } });
  await expect.poll(async () => (await findPipeline())?.status).toBe('pending');
  return (await findPipeline())?.id ?? 0;
}

describe('a commit', () => {
  test('shows its latest pipeline with the current status', async () => {
    const { id, pipeline } = await pushedProject('acme/app');
    const sha = await git(folder, 'rev-parse', 'master');
    const shown = async () => {
      const { body } = await as(null).get(`/projects/${id}/repository/commits/master`);
      const { status, last_pipeline } = body as Record<string, unknown>;
      return { status, last_pipeline };
    };
    const now = (status: string) => ({
      status,
      last_pipeline: { id: pipeline, sha, ref: 'master', status },
    });
    expect(await shown()).toEqual(now('pending'));
    await move(pipeline, 'unit', 'running');
    expect(await shown()).toEqual(now('running'));
    await move(pipeline, 'unit', 'failed');
    expect(await shown()).toEqual(now('failed'));
  });

  test('hides the pipeline from users who cannot see jobs', async () => {
    const { id, pipeline } = await pushedProject('acme/closed', { public_jobs: false });
    const path = `/projects/${id}/repository/commits/master`;
    for (const person of [null, gus]) {
      expect((await as(person).get(path)).body).toMatchObject({ last_pipeline: null });
    }
    for (const person of [rita, dan, root]) {
      expect((await as(person).get(path)).body).toMatchObject({ last_pipeline: { id: pipeline } });
    }
  });
});

describe('an external commit status', () => {
  test('is added to the existing pipeline', async () => {
    const { id, pipeline } = await pushedProject('acme/joined');
    const setStatus = (state: string, name = 'outside') =>
      as(dan).post(`/projects/${id}/statuses/master`, { state, name, coverage: 40 });
    const now = async () => (await as(dan).get(`/projects/${id}/pipelines/${pipeline}`)).body;
    expect((await setStatus('running')).status).toBe(201);
    expect(await now()).toMatchObject({ status: 'running', coverage: '40.00' });
    await move(pipeline, 'unit', 'success');
    expect(await now()).toMatchObject({ status: 'running' });
    await setStatus('failed');
    expect(await now()).toMatchObject({ status: 'failed', finished_at: instant });
    await setStatus('success');
    expect(await now()).toMatchObject({ status: 'success' });
    expect((await as(dan).get(`/projects/${id}/pipelines`)).body).toHaveLength(1);
  });

  test('creates one pipeline if there is none', async () => {
    const { id } = await seed.project('acme/outside', roles, { visibility: 'public' });
    const sha = await seed.push('acme/outside', { 'README.md': '# Outside' });
    const responses = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        as(dan).post(`/projects/${id}/statuses/${sha}`, { state: 'success', name }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { body } = await as(dan).get(`/projects/${id}/pipelines`);
    const [pipeline] = body as { id: number }[];
    expect(body).toEqual([{ id: pipeline?.id, sha, ref: 'master', status: 'success' }]);
    expect((await as(dan).get(`/projects/${id}/pipelines/${pipeline?.id}`)).body).toMatchObject({
      user: null,
      tag: false,
      finished_at: instant,
    });
    const refused = await as(dan).post(`/projects/${id}/statuses/${sha}`, {
      state: 'pending',
      name: 'x'.repeat(256),
    });
    expect(refused.status).toBe(400);
  });
});

describe('a merge request', () => {
  /** Creates a merge request in a project that requires a successful pipeline. */
  async function createMergeRequest(path: string, message: string) {
    const { id } = await pushedProject(path, { only_allow_merge_if_pipeline_succeeds: true });
    await git(folder, 'checkout', '--quiet', '-B', 'topic', 'master');
    const sha = await commit(folder, { [`${path}.txt`]: 'new' }, message);
    await git(folder, 'push', '--quiet', '--force', remote(path, root), 'topic');
    const { body } = await as(dan).post(`/projects/${id}/merge_requests`, {
      source_branch: 'topic',
      target_branch: 'master',
      title: 'Topic',
    });
    const { iid } = body as { iid: number };
    return { id, sha, path: `/projects/${id}/merge_requests/${iid}` };
  }

  test('is merged when its pipeline succeeds, not earlier', async () => {
    const { id, sha, path } = await createMergeRequest('acme/waiting', 'Topic');
    const pipeline = await pipelineOf(id, sha);
    expect((await as(dan).put(`${path}/merge`)).status).toBe(405);
    expect(
      await as(dan).put(`${path}/merge`, { merge_when_pipeline_succeeds: true }),
    ).toMatchObject({ status: 200, body: { state: 'opened', merge_when_pipeline_succeeds: true } });
    await move(pipeline, 'unit', 'running');
    await move(pipeline, 'unit', 'failed');
    await as(dan).post(`/projects/${id}/pipelines/${pipeline}/retry`);
    expect((await as(dan).get(path)).body).toMatchObject({ state: 'opened' });
    await move(pipeline, 'unit', 'running');
    await move(pipeline, 'unit', 'success');
    const state = async () => ((await as(dan).get(path)).body as { state: string }).state;
    await expect.poll(state).toBe('merged');
  });

  test('is merged immediately if its pipeline has succeeded', async () => {
    const { id, sha, path } = await createMergeRequest('acme/tried', 'Topic');
    await move(await pipelineOf(id, sha), 'unit', 'success');
    expect(await as(dan).put(`${path}/merge`)).toMatchObject({
      status: 200,
      body: { state: 'merged' },
    });
  });

  test('is merged if the commit message skips CI', async () => {
    const { id, sha, path } = await createMergeRequest('acme/skipping', 'Topic [ci skip]');
    const status = async () =>
      (await db.pipeline.findFirst({ where: { projectId: id, sha } }))?.status;
    await expect.poll(status).toBe('skipped');
    expect((await as(dan).put(`${path}/merge`)).status).toBe(200);
  });
});
