import { describe, expect, test } from 'vitest';
import { pushBranches, type TestMergeRequest } from '../support/merge-requests.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const dora = await seed.user('dora');
const settings = { visibility: 'public', public_builds: false };
const { id: app } = await seed.project('ada/app', { developer: bob, guest: carl }, settings);
await pushBranches(remote('ada/app', root), ['topic', 'plain']);

const list = `/projects/${app}/merge_requests`;
const createMergeRequest = async (source_branch: string) => {
  const input = { source_branch, target_branch: 'master', title: source_branch };
  const response = await as(bob).post(list, input);
  expect(response.status).toBe(201);
  return (response.body as TestMergeRequest).iid;
};
const file = { branch: 'topic', commit_message: 'Check', content: 'check:\n  script: [make]\n' };
const added = await as(bob).post(`/projects/${app}/repository/files/.gitlab-ci.yml`, file);
expect(added.status).toBe(201);
/** Creates a pipeline of the branch; a push may have created others. */
const created = await as(bob).post(`/projects/${app}/pipeline`, { ref: 'topic' });
expect(created.status).toBe(201);
const { id, sha } = created.body as { readonly id: number; readonly sha: string };
const topic = await createMergeRequest('topic');
const plain = await createMergeRequest('plain');

describe('GET /projects/:id/merge_requests/:merge_request_iid/pipelines', () => {
  const path = `${list}/${topic}/pipelines`;

  test('lists the pipelines of the source branch, the newest first', async () => {
    const { status, body } = await as(bob).get(path);
    expect(status).toBe(200);
    const pipelines = body as readonly { readonly id: number }[];
    expect(pipelines).toContainEqual({ id, sha, ref: 'topic', status: expect.any(String) });
    const ids = pipelines.map((pipeline) => pipeline.id);
    expect(ids).toEqual(ids.toSorted((left, right) => right - left));
    const page = await as(bob).get(`${path}?per_page=1`);
    expect(page.body).toEqual([expect.objectContaining({ id: ids[0] })]);
    expect(await as(bob).get(`${list}/${plain}/pipelines`)).toEqual({ status: 200, body: [] });
  });

  test('is refused to users who may not see pipelines', async () => {
    expect(await as(null).get(path)).toEqual(refused.anonymous);
    expect(await as(carl).get(path)).toEqual(refused.forbidden);
    expect(await as(dora).get(path)).toEqual(refused.forbidden);
    expect(await as(bob).get(`${list}/999/pipelines`)).toEqual(refused.record);
  });
});

describe('POST /projects/:id/merge_requests/:merge_request_iid/pipelines', () => {
  const path = `${list}/${topic}/pipelines`;
  const base = (text: string) => refused.invalid({ base: [text] });

  test('creates a pipeline for the head of the source branch', async () => {
    const response = await as(bob).post(path);
    const pipeline = { sha, ref: 'topic', tag: false, status: 'pending', yaml_errors: null };
    expect(response).toMatchObject({ status: 200, body: { ...pipeline, user: { id: bob.id } } });
    const { id: newest } = response.body as { readonly id: number };
    expect(await as(bob).get(`/projects/${app}/pipelines/${newest}`)).toEqual(response);
    const listed = (await as(bob).get(`${path}?per_page=1`)).body;
    expect(listed).toMatchObject([{ id: newest, sha }]);
  });

  test('is refused without a CI file, and without the branch or its project', async () => {
    expect(await as(bob).post(`${list}/${plain}/pipelines`)).toEqual(
      base('Missing .gitlab-ci.yml file'),
    );
    await as(bob).put(`${list}/${plain}`, { state_event: 'close' });
    await as(bob).delete(`/projects/${app}/repository/branches/plain`);
    expect(await as(bob).post(`${list}/${plain}/pipelines`)).toEqual(base('Reference not found'));
    const { id: mergeRequestId } = await db.mergeRequest.findFirstOrThrow({
      where: { projectId: app, iid: plain },
    });
    await db.mergeRequest.update({
      where: { id: mergeRequestId },
      data: { sourceProjectId: null },
    });
    expect(await as(bob).post(`${list}/${plain}/pipelines`)).toEqual(base('Reference not found'));
  });

  test('is refused to users who may not create a pipeline in the source project', async () => {
    expect(await as(null).post(path)).toEqual(refused.anonymous);
    expect(await as(carl).post(path)).toEqual(refused.forbidden);
    expect(await as(dora).post(path)).toEqual(refused.forbidden);
    expect(await as(bob).post(`${list}/999/pipelines`)).toEqual(refused.record);
    await as(ada).post(`/projects/${app}/protected_branches`, {
      name: 'topic',
      push_access_level: 40,
      merge_access_level: 40,
    });
    expect(await as(bob).post(path)).toEqual(
      base("Insufficient permissions for protected ref 'topic'"),
    );
    expect((await as(ada).post(path)).status).toBe(200);
  });

  test('runs in the fork that the source branch belongs to', async () => {
    const { id: fork } = await seed.project('dora/fork', {}, settings);
    await db.project.update({ where: { id: fork }, data: { forkedFromId: app } });
    await pushBranches(remote('dora/fork', root), ['change']);
    const ci = { ...file, branch: 'change' };
    await as(dora).post(`/projects/${fork}/repository/files/.gitlab-ci.yml`, ci);
    const opened = await as(dora).post(`/projects/${fork}/merge_requests`, {
      source_branch: 'change',
      target_branch: 'master',
      target_project_id: app,
      title: 'Change',
    });
    const { iid } = opened.body as TestMergeRequest;
    const response = await as(dora).post(`${list}/${iid}/pipelines`);
    expect(response).toMatchObject({ status: 200, body: { ref: 'change' } });
    const { id: created } = response.body as { readonly id: number };
    expect(await db.pipeline.findUnique({ where: { id: created } })).toMatchObject({
      projectId: fork,
    });
    // a master of the target, who is no member of the fork
    expect(await as(ada).post(`${list}/${iid}/pipelines`)).toEqual(refused.forbidden);
  });
});

describe('GET /projects/:id/merge_requests/:merge_request_iid', () => {
  test('has the newest pipeline of the head commit for users who may see it', async () => {
    const headOf = async (iid: number, user: typeof bob | null) =>
      ((await as(user).get(`${list}/${iid}`)).body as { readonly head_pipeline: unknown })
        .head_pipeline;
    expect(await headOf(topic, bob)).toMatchObject({ sha, ref: 'topic', tag: false });
    expect(await headOf(plain, bob)).toBeNull();
    expect(await headOf(topic, carl)).toBeNull();
    expect(await headOf(topic, null)).toBeNull();
  });
});
