import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { ciFile, ciOf, pipelineShape } from '../support/ci.ts';
import { commit, git, temporaryFolder } from '../support/git.ts';
import { receiver } from '../support/receiver.ts';
import { instant } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const here = await world({ variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' } });
const { as, seed, root, url, db, remote } = here;
const { jobs, move } = await ciOf(here);
const ada = await seed.user('ada');
const dan = await seed.user('dan');
await seed.group('acme', { owner: ada });
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

let count = 0;

/** A project of its own and a work tree of it; Dan pushes. */
async function fresh(settings: object = {}) {
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

/** The pipelines of a project, the oldest first, once the jobs behind its pushes are done. */
async function pipelines(id: number, expected: number) {
  const settled = async () => {
    const [row] = await db.$queryRaw<[{ left: number }]>`
      SELECT (SELECT count(*) FROM pushes)::int + count(*)::int AS left FROM pgboss.job
      WHERE name = 'make-pipelines' AND state < 'completed'`;
    return row.left;
  };
  await expect.poll(settled).toBe(0);
  const found = await db.pipeline.findMany({ where: { projectId: id }, orderBy: { id: 'asc' } });
  expect(found).toHaveLength(expected);
  return found;
}

const zeros = '0'.repeat(40);

describe('a push', () => {
  test('of a branch with a CI file makes a pipeline', async () => {
    const { id, folder, push } = await fresh();
    const sha = await commit(folder, { '.gitlab-ci.yml': ciFile }, 'Begin');
    await push('master');
    const [made] = await pipelines(id, 1);
    expect(made).toMatchObject({ source: 'push', isProtected: true });
    expect(await as(dan).get(`/projects/${id}/pipelines/${made?.id}`)).toEqual({
      status: 200,
      body: { ...pipelineShape(url, { sha, user: dan }), id: made?.id },
    });
    expect(await jobs(made?.id ?? 0)).toBe(
      'compile: pending, unit: created, lint: created, release: created',
    );
    const next = await commit(folder, {}, 'Go on');
    await push('master');
    const [, second] = await pipelines(id, 2);
    expect(second).toMatchObject({ sha: next, beforeSha: sha, status: 'pending' });
  });

  test('of several branches and tags makes one for each', async () => {
    const { id, folder, push } = await fresh();
    const only = 'a: { script: x, only: [tags] }\nb: { script: x, only: [/^to/] }';
    const sha = await commit(folder, { '.gitlab-ci.yml': only }, 'Begin');
    await git(folder, 'tag', '--annotate', '--message=first', 'v1');
    await push('master', 'master:refs/heads/topic', 'v1');
    const made = await pipelines(id, 2);
    const told = made.map(({ ref, isTag }) => ({ ref, isTag }));
    expect(told).toHaveLength(2);
    expect(told).toContainEqual({ ref: 'topic', isTag: false });
    expect(told).toContainEqual({ ref: 'v1', isTag: true });
    expect(made.map((pipeline) => pipeline.sha)).toEqual([sha, sha]);
    expect(made.map(({ beforeSha }) => beforeSha)).toEqual([zeros, zeros]);
    await push(':topic', ':v1');
    await pipelines(id, 2);
  });

  test('without a CI file, or where jobs are disabled, makes none', async () => {
    const bare = await fresh();
    await commit(bare.folder, { 'README.md': '# Bare' }, 'Begin');
    await bare.push('master');
    await pipelines(bare.id, 0);
    const disabled = await fresh({ jobs_enabled: false });
    await commit(disabled.folder, { '.gitlab-ci.yml': ciFile }, 'Begin');
    await disabled.push('master');
    await pipelines(disabled.id, 0);
    const elsewhere = await fresh({ ci_config_path: 'ci/all.yml' });
    await commit(elsewhere.folder, { '.gitlab-ci.yml': ciFile }, 'Begin');
    await elsewhere.push('master');
    await pipelines(elsewhere.id, 0);
    await commit(elsewhere.folder, { 'ci/all.yml': 'a: { script: x }' }, 'Go on');
    await elsewhere.push('master');
    await pipelines(elsewhere.id, 1);
  });

  test('with a file that is wrong makes one that has failed', async () => {
    const { id, folder, push } = await fresh();
    const sha = await commit(folder, { '.gitlab-ci.yml': 'job: {}' }, 'Begin');
    await push('master');
    const [made] = await pipelines(id, 1);
    expect(await as(dan).get(`/projects/${id}/pipelines/${made?.id}`)).toEqual({
      status: 200,
      body: {
        ...pipelineShape(url, { sha, user: dan }),
        id: made?.id,
        status: 'failed',
        yaml_errors: "jobs:job script can't be blank",
        finished_at: instant,
      },
    });
    const failed = await as(dan).get(`/projects/${id}/pipelines/${made?.id}`);
    for (const action of ['retry', 'cancel']) {
      const { body } = await as(dan).post(`/projects/${id}/pipelines/${made?.id}/${action}`);
      expect(body).toEqual(failed.body);
    }
  });

  test.each(['[ci skip]', '[skip ci]', '[CI Skip]', '[ci-skip]', '[skip_ci]'])(
    'that asks for it by %s makes one that is skipped',
    async (words) => {
      const { id, folder, push } = await fresh();
      await commit(folder, { '.gitlab-ci.yml': ciFile }, `Begin\n\nbut ${words} it`);
      await push('master');
      const [made] = await pipelines(id, 1);
      expect(made).toMatchObject({ status: 'skipped', yamlErrors: null, finishedAt: null });
      expect(await jobs(made?.id ?? 0)).toBe('');
      await commit(folder, {}, 'Go on: no [ci  skip]');
      await push('master');
      const [, second] = await pipelines(id, 2);
      expect(second).toMatchObject({ status: 'pending' });
    },
  );

  test('by the API makes one as well', async () => {
    const { id } = await fresh();
    const answer = await as(dan).post(`/projects/${id}/repository/commits`, {
      branch: 'master',
      commit_message: 'Begin',
      actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: ciFile }],
    });
    expect(answer.status).toBe(201);
    await pipelines(id, 1);
  });

  test('of the same commit, back and forth, makes one each time', async () => {
    const { id, folder, push } = await fresh();
    const first = await commit(folder, { '.gitlab-ci.yml': ciFile }, 'Begin');
    await push('master:topic');
    await pipelines(id, 1);
    const second = await commit(folder, {}, 'Go on');
    for (const to of [second, first, second]) await push(`+${to}:refs/heads/topic`);
    const made = await pipelines(id, 4);
    expect(made.map(({ sha }) => sha).toSorted()).toEqual(
      [first, first, second, second].toSorted(),
    );
  });
});

test('a job behind a push that is done twice, or by two at once, makes one pipeline', async () => {
  const { id, folder, push } = await fresh();
  const sha = await commit(folder, { '.gitlab-ci.yml': ciFile }, 'Begin');
  await push('master');
  const [made] = await pipelines(id, 1);
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
  expect(await pipelines(id, 1)).toEqual([made]);
  expect(made?.sha).toBe(sha);
});

test('hooks are told of a pipeline whenever its status is another', async () => {
  const listener = await receiver();
  const { id, path, folder, push } = await fresh();
  const hook = { url: listener.url, pipeline_events: true, push_events: false };
  expect((await as(dan).post(`/projects/${id}/hooks`, hook)).status).toBe(201);
  const sha = await commit(folder, { '.gitlab-ci.yml': 'unit: { script: test }' }, 'Begin');
  await push('master');
  const [made] = await pipelines(id, 1);
  const pipelineId = made?.id ?? 0;
  for (const to of ['running', 'success'] as const) await move(pipelineId, 'unit', to);
  await expect.poll(() => listener.received.length).toBe(3);
  const states = ['pending', 'running', 'success'];
  const told = states.map((state) =>
    listener.received.find(({ body }) => {
      const { status } = body.object_attributes as { status: string };
      return status === state;
    }),
  );
  expect(told[0]?.headers['x-gitlab-event']).toBe('Pipeline Hook');
  const user = { name: 'Dan', username: 'dan', avatar_url: expect.any(String) };
  expect(told[0]?.body).toEqual({
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
  expect(told[2]?.body).toMatchObject({
    object_attributes: { status: 'success', finished_at: instant, duration: expect.any(Number) },
    builds: [{ status: 'success', started_at: instant, finished_at: instant }],
  });
  expect((await as(root).get(`/projects/${id}/pipelines`)).body).toHaveLength(1);
});

test('hooks are told of jobs, where they want to know', async () => {
  const listener = await receiver();
  const { id, path, folder, push } = await fresh();
  const hook = { url: listener.url, job_events: true, push_events: false };
  expect((await as(dan).post(`/projects/${id}/hooks`, hook)).status).toBe(201);
  const file = 'stages: [a, b]\none: { script: x, stage: a }\ntwo: { script: x, stage: b }';
  const sha = await commit(folder, { '.gitlab-ci.yml': file }, 'Begin');
  await push('master');
  const [made] = await pipelines(id, 1);
  await move(made?.id ?? 0, 'one', 'success');
  await expect.poll(() => listener.received.length).toBe(3);
  const told = listener.received.map(({ body }) => `${body.build_name}: ${body.build_status}`);
  expect(told.toSorted()).toEqual(['one: pending', 'one: success', 'two: pending']);
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
    commit: { id: made?.id, sha, message: 'Begin\n', author_name: 'Ada', status: 'pending' },
  });
});
