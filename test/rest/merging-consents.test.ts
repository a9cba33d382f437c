import { describe, expect, test } from 'vitest';
import { commit, git, workTree } from '../support/git.ts';
import { graphqlClientOf } from '../support/graphql.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db, url } = await world();
const names = ['ada', 'mia', 'max', 'dev', 'olga'] as const;
const [ada, mia, max, dev, olga] = (await Promise.all(names.map((name) => seed.user(name)))) as [
  TestUser,
  TestUser,
  TestUser,
  TestUser,
  TestUser,
];
const members = { master: mia, developer: dev };
const { id: app } = await seed.project('ada/app', members, { visibility: 'public' });
await as(ada).post(`/projects/${app}/members`, { user_id: max.id, access_level: 40 });
const path = remote('ada/app', ada);
const folder = await workTree({ 'README.md': '# App\n' });
await git(folder, 'push', '--quiet', path, 'master', 'master:stable', 'master:safe');
const list = `/projects/${app}/merge_requests`;

interface TestMergeRequest {
  readonly id: number;
  readonly iid: number;
  readonly sha: string;
  readonly branch: string;
}

const commitTo = async (branch: string, text: string) => {
  await git(folder, 'checkout', '--quiet', '-B', branch, 'master');
  return commit(folder, { [`${branch}.txt`]: text }, `Change ${branch}`);
};
const push = (user: TestUser, ...refs: readonly string[]) =>
  git(folder, 'push', '--quiet', '--force', remote('ada/app', user), ...refs);
let number = 0;
/** A merge request of `dev` into `target` whose head has a running pipeline. */
const newMergeRequest = async (target = 'stable'): Promise<TestMergeRequest> => {
  number += 1;
  const branch = `change-${number}`;
  const sha = await commitTo(branch, 'one');
  await push(dev, branch);
  const fields = { source_branch: branch, target_branch: target, title: `Change ${number}` };
  const { body } = await as(dev).post(list, fields);
  await setStatus(dev, sha, 'running');
  return { ...(body as { id: number; iid: number }), sha, branch };
};
const setStatus = async (user: TestUser, sha: string, state: string, project = app) => {
  const { status } = await as(user).post(`/projects/${project}/statuses/${sha}`, { state });
  expect(status).toBe(201);
};
const accept = async (
  user: TestUser,
  { iid }: Pick<TestMergeRequest, 'iid'>,
  options: object = {},
) => {
  const body = { merge_when_pipeline_succeeds: true, ...options };
  expect(await as(user).put(`${list}/${iid}/merge`, body)).toMatchObject({
    status: 200,
    body: { state: 'opened', merge_when_pipeline_succeeds: true },
  });
};
const show = async ({ iid }: Pick<TestMergeRequest, 'iid'>) =>
  (await as(root).get(`${list}/${iid}`)).body as Record<string, unknown>;
const lastNotes = async ({ id }: Pick<TestMergeRequest, 'id'>) => {
  const notes = await db.note.findMany({
    where: { mergeRequestId: id, isSystem: true },
    orderBy: { id: 'asc' },
  });
  return notes.map(({ body, authorId }) => ({ body, authorId }));
};
const stopsWaiting = (mergeRequest: Pick<TestMergeRequest, 'iid'>) =>
  expect.poll(async () => (await show(mergeRequest)).merge_when_pipeline_succeeds).toBe(false);
/** Waits until the consequences of a finished pipeline are over, and expects no merge. */
const staysOpen = async (mergeRequest: Pick<TestMergeRequest, 'iid'>) => {
  const witness = await newMergeRequest();
  await accept(ada, witness);
  await setStatus(dev, witness.sha, 'success');
  await expect.poll(() => show(witness)).toMatchObject({ state: 'merged' });
  expect(await show(mergeRequest)).toMatchObject({
    state: 'opened',
    merge_when_pipeline_succeeds: false,
    should_remove_source_branch: null,
  });
};
const aborted = (reason: string) => `aborted the automatic merge because ${reason}`;

describe('an automatic merge', () => {
  test('merges what was accepted, with the message made then', async () => {
    const mergeRequest = await newMergeRequest();
    await accept(mia, mergeRequest, { should_remove_source_branch: true });
    await as(dev).put(`${list}/${mergeRequest.iid}`, { title: 'Another title' });
    await setStatus(dev, mergeRequest.sha, 'success');
    await expect.poll(() => show(mergeRequest)).toMatchObject({ state: 'merged' });
    const { merge_commit_sha: merge } = await show(mergeRequest);
    const { body } = await as(mia).get(`/projects/${app}/repository/commits/${merge}`);
    expect(body).toMatchObject({
      author_name: 'Mia',
      message: expect.stringContaining(`\n\nChange ${number}\n\n`),
      parent_ids: [expect.anything(), mergeRequest.sha],
    });
    expect(await lastNotes(mergeRequest)).toMatchObject([
      {
        body: `enabled an automatic merge when the pipeline for ${mergeRequest.sha} succeeds`,
        authorId: mia.id,
      },
      { body: expect.stringContaining('changed title') },
      { body: 'merged', authorId: mia.id },
    ]);
    const branch = `/projects/${app}/repository/branches/${mergeRequest.branch}`;
    await expect.poll(async () => (await as(dev).get(branch)).status).toBe(404);
    expect(await db.automaticMerge.count({ where: { mergeRequestId: mergeRequest.id } })).toBe(0);
  });

  test('uses the message and the user of the last acceptance', async () => {
    const mergeRequest = await newMergeRequest();
    await accept(mia, mergeRequest, { merge_commit_message: 'Of Mia' });
    await accept(max, mergeRequest, { merge_commit_message: 'Of Max' });
    await setStatus(dev, mergeRequest.sha, 'success');
    await expect.poll(() => show(mergeRequest)).toMatchObject({ state: 'merged' });
    const { merge_commit_sha: merge } = await show(mergeRequest);
    const { body } = await as(mia).get(`/projects/${app}/repository/commits/${merge}`);
    expect(body).toMatchObject({ author_name: 'Max', message: 'Of Max' });
  });

  test.each([
    ['the author', dev],
    ['the user who accepted it', mia],
  ])('is aborted by a push of %s', async (_name, pusher) => {
    const mergeRequest = await newMergeRequest();
    await accept(mia, mergeRequest, { should_remove_source_branch: true });
    await git(folder, 'checkout', '--quiet', mergeRequest.branch);
    const sha = await commit(folder, { 'two.txt': mergeRequest.branch }, 'Two');
    await push(pusher, mergeRequest.branch);
    await stopsWaiting(mergeRequest);
    await setStatus(dev, mergeRequest.sha, 'success');
    await setStatus(dev, sha, 'success');
    await staysOpen(mergeRequest);
    expect(await lastNotes(mergeRequest)).toContainEqual({
      body: aborted('source branch was updated'),
      authorId: pusher.id,
    });
  });

  test('is aborted by a commit over the API, whose pipeline succeeds at once', async () => {
    const mergeRequest = await newMergeRequest();
    await accept(mia, mergeRequest);
    const { body } = await as(dev).post(`/projects/${app}/repository/commits`, {
      branch: mergeRequest.branch,
      commit_message: 'More',
      actions: [{ action: 'create', file_path: `more-${number}.txt`, content: 'more' }],
    });
    await setStatus(dev, (body as { readonly id: string }).id, 'success');
    await stopsWaiting(mergeRequest);
    await staysOpen(mergeRequest);
  });

  test('is aborted by a branch that moves away and returns', async () => {
    const mergeRequest = await newMergeRequest();
    await accept(mia, mergeRequest);
    await commitTo(mergeRequest.branch, 'two');
    await push(dev, mergeRequest.branch);
    await push(dev, `${mergeRequest.sha}:refs/heads/${mergeRequest.branch}`);
    await stopsWaiting(mergeRequest);
    await setStatus(dev, mergeRequest.sha, 'success');
    await staysOpen(mergeRequest);
  });

  test('is aborted by a push to the fork, whose owner reports a success', async () => {
    const { body } = await as(olga).post(`/projects/${app}/fork`);
    const { id: fork } = body as { readonly id: number };
    await expect
      .poll(async () => (await as(olga).get(`/projects/${fork}`)).body)
      .toMatchObject({ import_status: 'finished' });
    const sha = await commitTo('offer', 'harmless');
    await git(folder, 'push', '--quiet', remote('olga/app', olga), 'offer');
    await setStatus(olga, sha, 'running', fork);
    const offer = {
      source_branch: 'offer',
      target_branch: 'master',
      target_project_id: app,
      title: 'Offer',
    };
    const created = await as(olga).post(`/projects/${fork}/merge_requests`, offer);
    const mergeRequest = created.body as { readonly id: number; readonly iid: number };
    await accept(ada, mergeRequest, { sha });
    const hostile = await commitTo('offer', 'hostile');
    await git(folder, 'push', '--quiet', '--force', remote('olga/app', olga), 'offer');
    await setStatus(olga, hostile, 'success', fork);
    await stopsWaiting(mergeRequest);
    await staysOpen(mergeRequest);
    expect(await lastNotes(mergeRequest)).toContainEqual({
      body: aborted('source branch was updated'),
      authorId: olga.id,
    });
  });

  test('is aborted by a change of its target', async () => {
    const mergeRequest = await newMergeRequest();
    await accept(ada, mergeRequest);
    expect(
      await as(dev).put(`${list}/${mergeRequest.iid}`, { target_branch: 'master' }),
    ).toMatchObject({ status: 200, body: { merge_when_pipeline_succeeds: false } });
    await setStatus(dev, mergeRequest.sha, 'success');
    await staysOpen(mergeRequest);
    expect(await lastNotes(mergeRequest)).toContainEqual({
      body: aborted('target branch was changed'),
      authorId: dev.id,
    });
  });

  test('is aborted by a target that changes and returns', async () => {
    const mergeRequest = await newMergeRequest();
    await accept(ada, mergeRequest);
    await as(dev).put(`${list}/${mergeRequest.iid}`, { target_branch: 'safe' });
    await as(dev).put(`${list}/${mergeRequest.iid}`, { target_branch: 'stable' });
    await setStatus(dev, mergeRequest.sha, 'success');
    await staysOpen(mergeRequest);
  });

  test('is aborted by closing, also when the merge request is reopened', async () => {
    const mergeRequest = await newMergeRequest();
    await accept(mia, mergeRequest);
    const change = (state_event: string) =>
      as(dev).put(`${list}/${mergeRequest.iid}`, { state_event });
    expect((await change('close')).body).toMatchObject({ merge_when_pipeline_succeeds: false });
    expect((await change('reopen')).body).toMatchObject({ merge_when_pipeline_succeeds: false });
    await setStatus(dev, mergeRequest.sha, 'success');
    await staysOpen(mergeRequest);
    expect(await lastNotes(mergeRequest)).toContainEqual({
      body: aborted('merge request was closed'),
      authorId: dev.id,
    });
  });

  describe.each([
    [
      'leaves the project',
      (id: number) => as(ada).delete(`/projects/${app}/members/${id}`),
      (id: number) => as(ada).post(`/projects/${app}/members`, { user_id: id, access_level: 40 }),
    ],
    [
      'becomes a reporter',
      (id: number) => as(ada).put(`/projects/${app}/members/${id}`, { access_level: 20 }),
      (id: number) => as(ada).put(`/projects/${app}/members/${id}`, { access_level: 40 }),
    ],
    [
      'is blocked',
      (id: number) => as(root).post(`/users/${id}/block`),
      (id: number) => as(root).post(`/users/${id}/unblock`),
    ],
  ])('of a user who %s', (_name, take, give) => {
    test('is aborted, also if the right returns', async () => {
      const mergeRequest = await newMergeRequest();
      await accept(max, mergeRequest);
      await as(max).post(`${list}/${mergeRequest.iid}/approve`);
      await take(max.id);
      await stopsWaiting(mergeRequest);
      await expect
        .poll(() => db.mergeRequestApproval.count({ where: { mergeRequestId: mergeRequest.id } }))
        .toBe(0);
      await give(max.id);
      await setStatus(dev, mergeRequest.sha, 'success');
      await staysOpen(mergeRequest);
      expect(await lastNotes(mergeRequest)).toContainEqual({
        body: aborted('the user who enabled it may no longer merge'),
        authorId: max.id,
      });
    });
  });

  test('is aborted by its pipeline if the target became protected for its user', async () => {
    const mergeRequest = await newMergeRequest('safe');
    await accept(dev, mergeRequest);
    const rule = { name: 'safe', push_access_level: 40, merge_access_level: 40 };
    expect((await as(ada).post(`/projects/${app}/protected_branches`, rule)).status).toBe(201);
    await setStatus(dev, mergeRequest.sha, 'success');
    await stopsWaiting(mergeRequest);
    await staysOpen(mergeRequest);
  });

  test('that an earlier version stored is aborted by its pipeline', async () => {
    const mergeRequest = await newMergeRequest();
    await accept(mia, mergeRequest);
    await db.automaticMerge.delete({ where: { mergeRequestId: mergeRequest.id } });
    await setStatus(dev, mergeRequest.sha, 'success');
    await stopsWaiting(mergeRequest);
    await staysOpen(mergeRequest);
  });

  test('is cancelled by its author with a system note', async () => {
    const mergeRequest = await newMergeRequest();
    await accept(mia, mergeRequest);
    const cancel = `${list}/${mergeRequest.iid}/cancel_merge_when_pipeline_succeeds`;
    expect((await as(dev).put(cancel)).status).toBe(200);
    await setStatus(dev, mergeRequest.sha, 'success');
    await staysOpen(mergeRequest);
    expect(await lastNotes(mergeRequest)).toContainEqual({
      body: 'canceled the automatic merge',
      authorId: dev.id,
    });
  });

  test('waits through a pipeline that a draft prevents from merging', async () => {
    const mergeRequest = await newMergeRequest();
    await accept(mia, mergeRequest);
    await as(dev).put(`${list}/${mergeRequest.iid}`, { title: 'WIP: wait' });
    await setStatus(dev, mergeRequest.sha, 'success');
    const witness = await newMergeRequest();
    await accept(ada, witness);
    await setStatus(dev, witness.sha, 'success');
    await expect.poll(() => show(witness)).toMatchObject({ state: 'merged' });
    expect(await show(mergeRequest)).toMatchObject({
      state: 'opened',
      merge_when_pipeline_succeeds: true,
    });
  });
});

describe('an approval', () => {
  const approvalsOf = async ({ iid }: TestMergeRequest) =>
    ((await as(dev).get(`${list}/${iid}/approvals`)).body as { readonly approved_by: unknown[] })
      .approved_by.length;
  const approve = async (user: TestUser, { iid }: TestMergeRequest, sha?: string) =>
    (await as(user).post(`${list}/${iid}/approve`, { sha })).status;

  test('names the head commit', async () => {
    const mergeRequest = await newMergeRequest();
    expect(await approve(mia, mergeRequest)).toBe(201);
    const query = `{ mergeRequest(projectId: "${app}", iid: ${mergeRequest.iid}) {
      approvals { sha user { username } } } }`;
    const { body } = await graphqlClientOf(url)(mia, query);
    expect(body.data).toEqual({
      mergeRequest: { approvals: [{ sha: mergeRequest.sha, user: { username: 'mia' } }] },
    });
  });

  test('is reset by a push, and can be given again', async () => {
    const mergeRequest = await newMergeRequest();
    expect(await approve(mia, mergeRequest, mergeRequest.sha)).toBe(201);
    const sha = await commitTo(mergeRequest.branch, 'two');
    await push(dev, mergeRequest.branch);
    await expect.poll(() => approvalsOf(mergeRequest)).toBe(0);
    expect(await approve(mia, mergeRequest, mergeRequest.sha)).toBe(409);
    expect(await approve(mia, mergeRequest, sha)).toBe(201);
    expect(await lastNotes(mergeRequest)).toContainEqual({
      body: 'reset approvals because source branch was updated',
      authorId: dev.id,
    });
  });

  test.each([
    ['a change of the target', { target_branch: 'safe' }],
    ['closing', { state_event: 'close' }],
  ])('is reset by %s', async (_name, change) => {
    const mergeRequest = await newMergeRequest();
    expect(await approve(mia, mergeRequest)).toBe(201);
    expect((await as(dev).put(`${list}/${mergeRequest.iid}`, change)).status).toBe(200);
    expect(await approvalsOf(mergeRequest)).toBe(0);
  });

  test('stays after a change of the title, and after the merge', async () => {
    const mergeRequest = await newMergeRequest();
    expect(await approve(mia, mergeRequest)).toBe(201);
    await as(dev).put(`${list}/${mergeRequest.iid}`, { title: 'Another title' });
    expect((await as(mia).put(`${list}/${mergeRequest.iid}/merge`)).status).toBe(200);
    expect(await approvalsOf(mergeRequest)).toBe(1);
  });
});
