import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { ciFile, ciOf, pipelineShape } from '../support/ci.ts';
import { commit, git, temporaryFolder } from '../support/git.ts';
import { receiver } from '../support/receiver.ts';
import { instant } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world({ variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' } });
const { as, seed, root, url, db, remote } = testWorld;
const { jobs, move } = await ciOf(testWorld);
const ada = await seed.user('ada');
const dan = await seed.user('dan');
await seed.group('acme', { owner: ada });
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

let count = 0;

/** Creates a project and a clone from which Dan pushes. */
async function createProject(settings: object = {}) {
  count += 1;
  const path = `acme/p${count}`;
  const { id } = await seed.project(path, { master: dan }, { ...settings });
  const folder = await temporaryFolder();
  folders.push(folder);
  await git(folder, 'clone', '--quiet', remote(path, dan), '.');
  await git(folder, 'checkout', '--quiet', '-b', 'master');
  return {
    id,
    path,
    folder,
    push: (...refs: string[]) => git(folder, 'push', '--quiet', 'origin', ...refs),
  };
}

/** The pipelines of a project, the oldest first, after the background jobs of its pushes. */
async function waitForPipelines(id: number, expected: number) {
  const settled = async () => {
    const [row] = await db.$queryRaw<[{ left: number }]>`
      SELECT (SELECT count(*) FROM pushes)::int + count(*)::int AS left FROM pgboss.job
      WHERE name = 'make-pipelines' AND state < 'completed'`;
    return row.left;
  };
  await expect.poll(settled).toBe(0);
  const rows = await db.pipeline.findMany({ where: { projectId: id }, orderBy: { id: 'asc' } });
  expect(rows).toHaveLength(expected);
  return rows;
}

const zeros = '0'.repeat(40);

describe('a push', () => {
  test('of a branch with a CI file creates a pipeline', async () => {
    const { id, folder, push } = await createProject();
    const sha = await commit(folder, { '.gitlab-ci.yml': ciFile }, 'Begin');
    await push('master');
    const [pipeline] = await waitForPipelines(id, 1);
    expect(pipeline).toMatchObject({ source: 'push', isProtected: true });
    expect(await as(dan).get(`/projects/${id}/pipelines/${pipeline?.id}`)).toEqual({
      status: 200,
      body: { ...pipelineShape(url, { sha, user: dan }), id: pipeline?.id },
    });
    expect(await jobs(pipeline?.id ?? 0)).toBe(
      'compile: pending, unit: created, lint: created, release: created',
    );
    const next = await commit(folder, {}, 'Go on');
    await push('master');
    const [, second] = await waitForPipelines(id, 2);
    expect(second).toMatchObject({ sha: next, beforeSha: sha, status: 'pending' });
  });

  test('of several branches and tags creates a pipeline for each', async () => {
    const { id, folder, push } = await createProject();
    const only = 'a: { script: x, only: [tags] }\nb: { script: x, only: [/^to/] }';
    const sha = await commit(folder, { '.gitlab-ci.yml': only }, 'Begin');
    await git(folder, 'tag', '--annotate', '--message=first', 'v1');
    await push('master', 'master:refs/heads/topic', 'v1');
    const created = await waitForPipelines(id, 2);
    const refs = created.map(({ ref, isTag }) => ({ ref, isTag }));
    expect(refs).toHaveLength(2);
    expect(refs).toContainEqual({ ref: 'topic', isTag: false });
    expect(refs).toContainEqual({ ref: 'v1', isTag: true });
    expect(created.map((pipeline) => pipeline.sha)).toEqual([sha, sha]);
    expect(created.map(({ beforeSha }) => beforeSha)).toEqual([zeros, zeros]);
    await push(':topic', ':v1');
    await waitForPipelines(id, 2);
  });

  test('without a CI file, or with disabled jobs, creates no pipeline', async () => {
    const bare = await createProject();
    await commit(bare.folder, { 'README.md': '# Bare' }, 'Begin');
    await bare.push('master');
    await waitForPipelines(bare.id, 0);
    const disabled = await createProject({ jobs_enabled: false });
    await commit(disabled.folder, { '.gitlab-ci.yml': ciFile }, 'Begin');
    await disabled.push('master');
    await waitForPipelines(disabled.id, 0);
    const elsewhere = await createProject({ ci_config_path: 'ci/all.yml' });
    await commit(elsewhere.folder, { '.gitlab-ci.yml': ciFile }, 'Begin');
    await elsewhere.push('master');
    await waitForPipelines(elsewhere.id, 0);
    await commit(elsewhere.folder, { 'ci/all.yml': 'a: { script: x }' }, 'Go on');
    await elsewhere.push('master');
    await waitForPipelines(elsewhere.id, 1);
  });

  test('of an invalid CI file creates a failed pipeline', async () => {
    const { id, folder, push } = await createProject();
    const sha = await commit(folder, { '.gitlab-ci.yml': 'job: {}' }, 'Begin');
    await push('master');
    const [pipeline] = await waitForPipelines(id, 1);
    expect(await as(dan).get(`/projects/${id}/pipelines/${pipeline?.id}`)).toEqual({
      status: 200,
      body: {
        ...pipelineShape(url, { sha, user: dan }),
        id: pipeline?.id,
        status: 'failed',
        yaml_errors: "jobs:job script can't be blank",
        finished_at: instant,
      },
    });
    const failed = await as(dan).get(`/projects/${id}/pipelines/${pipeline?.id}`);
    for (const action of ['retry', 'cancel']) {
      const { body } = await as(dan).post(`/projects/${id}/pipelines/${pipeline?.id}/${action}`);
      expect(body).toEqual(failed.body);
    }
  });

  test.each(['[ci skip]', '[skip ci]', '[CI Skip]', '[ci-skip]', '[skip_ci]'])(
    'with %s in the commit message creates a skipped pipeline',
    async (words) => {
      const { id, folder, push } = await createProject();
      await commit(folder, { '.gitlab-ci.yml': ciFile }, `Begin\n\nbut ${words} it`);
      await push('master');
      const [pipeline] = await waitForPipelines(id, 1);
      expect(pipeline).toMatchObject({ status: 'skipped', yamlErrors: null, finishedAt: null });
      expect(await jobs(pipeline?.id ?? 0)).toBe('');
      await commit(folder, {}, 'Go on: no [ci  skip]');
      await push('master');
      const [, second] = await waitForPipelines(id, 2);
      expect(second).toMatchObject({ status: 'pending' });
    },
  );

  test('through the API creates a pipeline', async () => {
    const { id } = await createProject();
    const response = await as(dan).post(`/projects/${id}/repository/commits`, {
      branch: 'master',
      commit_message: 'Begin',
      actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: ciFile }],
    });
    expect(response.status).toBe(201);
    await waitForPipelines(id, 1);
  });

  test('of the same commits, back and forth, creates a pipeline each time', async () => {
    const { id, folder, push } = await createProject();
    const first = await commit(folder, { '.gitlab-ci.yml': ciFile }, 'Begin');
    await push('master:topic');
    await waitForPipelines(id, 1);
    const second = await commit(folder, {}, 'Go on');
    for (const to of [second, first, second]) await push(`+${to}:refs/heads/topic`);
    const created = await waitForPipelines(id, 4);
    expect(created.map(({ sha }) => sha).toSorted()).toEqual(
      [first, first, second, second].toSorted(),
    );
  });
});

test('the background job of a push creates one pipeline, even if it runs repeatedly or concurrently', async () => {
  const { id, folder, push } = await createProject();
  const sha = await commit(folder, { '.gitlab-ci.yml': ciFile }, 'Begin');
  await push('master');
  const [pipeline] = await waitForPipelines(id, 1);
  const [row] = await db.$queryRaw<[{ data: object }]>`
    SELECT data FROM pgboss.job WHERE name = 'make-pipelines'
      AND (data->>'projectId')::int = ${id}`;
  expect(row.data).toMatchObject({ projectId: id, userId: dan.id });
  await Promise.all(
    Array.from(
      { length: 5 },
      () => db.$executeRaw`
        INSERT INTO pgboss.job (name, data) VALUES ('make-pipelines', ${JSON.stringify(row.data)}::jsonb)`,
    ),
  );
  expect(await waitForPipelines(id, 1)).toEqual([pipeline]);
  expect(pipeline?.sha).toBe(sha);
});

test('hooks are notified of each change of a pipeline’s status', async () => {
  const listener = await receiver();
  const { id, path, folder, push } = await createProject();
  const hook = { url: listener.url, pipeline_events: true, push_events: false };
  expect((await as(dan).post(`/projects/${id}/hooks`, hook)).status).toBe(201);
  const sha = await commit(folder, { '.gitlab-ci.yml': 'unit: { script: test }' }, 'Begin');
  await push('master');
  const [pipeline] = await waitForPipelines(id, 1);
  const pipelineId = pipeline?.id ?? 0;
  for (const to of ['running', 'success'] as const) await move(pipelineId, 'unit', to);
  await expect.poll(() => listener.received.length).toBe(3);
  const states = ['pending', 'running', 'success'];
  const deliveries = states.map((state) =>
    listener.received.find(({ body }) => {
      const { status } = body.object_attributes as { status: string };
      return status === state;
    }),
  );
  expect(deliveries[0]?.headers['x-gitlab-event']).toBe('Pipeline Hook');
  const user = { name: 'Dan', username: 'dan', avatar_url: expect.any(String) };
  expect(deliveries[0]?.body).toEqual({
    object_kind: 'pipeline',
    object_attributes: {
      id: pipelineId,
      ref: 'master',
      tag: false,
      sha,
      before_sha: zeros,
      status: 'pending',
      stages: ['test'],
      created_at: instant,
      finished_at: null,
      duration: null,
    },
    user,
    project: expect.objectContaining({ id, path_with_namespace: path }),
    commit: {
      id: sha,
      message: 'Begin\n',
      timestamp: '2017-10-01T12:00:00.000Z',
      url: `${url}/${path}/commit/${sha}`,
      author: { name: 'Ada', email: 'ada@example.com' },
    },
    builds: [
      {
        id: expect.any(Number),
        stage: 'test',
        name: 'unit',
        status: 'pending',
        created_at: instant,
        started_at: null,
        finished_at: null,
        when: 'on_success',
        manual: false,
        user,
        runner: null,
        artifacts_file: { filename: null, size: null },
      },
    ],
  });
  expect(deliveries[2]?.body).toMatchObject({
    object_attributes: { status: 'success', finished_at: instant, duration: expect.any(Number) },
    builds: [{ status: 'success', started_at: instant, finished_at: instant }],
  });
  expect((await as(root).get(`/projects/${id}/pipelines`)).body).toHaveLength(1);
});

test('hooks with job_events are notified of jobs', async () => {
  const listener = await receiver();
  const { id, path, folder, push } = await createProject();
  const hook = { url: listener.url, job_events: true, push_events: false };
  expect((await as(dan).post(`/projects/${id}/hooks`, hook)).status).toBe(201);
  const file = 'stages: [a, b]\none: { script: x, stage: a }\ntwo: { script: x, stage: b }';
  const sha = await commit(folder, { '.gitlab-ci.yml': file }, 'Begin');
  await push('master');
  const [pipeline] = await waitForPipelines(id, 1);
  await move(pipeline?.id ?? 0, 'one', 'success');
  await expect.poll(() => listener.received.length).toBe(3);
  const statuses = listener.received.map(({ body }) => `${body.build_name}: ${body.build_status}`);
  expect(statuses.toSorted()).toEqual(['one: pending', 'one: success', 'two: pending']);
  const first = listener.received.find(
    ({ body }) => body.build_name === 'one' && body.build_status === 'pending',
  );
  expect(first?.headers['x-gitlab-event']).toBe('Job Hook');
  expect(first?.body).toMatchObject({
    object_kind: 'build',
    ref: 'master',
    tag: false,
    before_sha: zeros,
    sha,
    build_allow_failure: false,
    project_id: id,
    project_name: `acme / ${path.slice('acme/'.length)}`,
    user: { id: dan.id, name: 'Dan', email: 'dan@example.com' },
    commit: { id: pipeline?.id, sha, message: 'Begin\n', author_name: 'Ada', status: 'pending' },
  });
});
