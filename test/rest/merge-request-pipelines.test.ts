import { describe, expect, test } from 'vitest';
import { pushBranches, type TestMergeRequest } from '../support/merge-requests.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote } = await world();
await seed.user('ada');
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
