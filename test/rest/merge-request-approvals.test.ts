import { describe, expect, test } from 'vitest';
import { pushBranches, type TestMergeRequest } from '../support/merge-requests.ts';
import type { TestUser } from '../support/seed.ts';
import { basicUserShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, remote, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const dora = await seed.user('dora');
const eve = await seed.user('eve');
const members = { developer: bob, reporter: carl, guest: dora };
const { id: app } = await seed.project('ada/app', members);
const branches = ['shown', 'approved', 'twice', 'expected', 'withdrawn', 'archived'];
const commits = await pushBranches(remote('ada/app', root), branches);

const list = `/projects/${app}/merge_requests`;
const createMergeRequest = async (source_branch: string) => {
  const input = { source_branch, target_branch: 'master', title: source_branch };
  const response = await as(bob).post(list, input);
  expect(response.status).toBe(201);
  return response.body as TestMergeRequest;
};
const approvalsShape = (
  { id, iid }: TestMergeRequest,
  title: string,
  approvers: readonly TestUser[],
  own: { readonly user_has_approved: boolean; readonly user_can_approve: boolean },
) => ({
  id,
  iid,
  project_id: app,
  title,
  description: null,
  state: 'opened',
  created_at: instant,
  updated_at: instant,
  merge_status: expect.stringMatching(/^(?:unchecked|can_be_merged)$/),
  approved: approvers.length > 0,
  approved_by: approvers.map((user) => ({
    user: basicUserShape(url, user),
    approved_at: instant,
  })),
  approvals_required: 0,
  approvals_left: 0,
  has_approval_rules: false,
  approval_rules_left: [],
  suggested_approvers: [],
  approvers: [],
  approver_groups: [],
  ...own,
});
const done = { user_has_approved: true, user_can_approve: false };
const open = { user_has_approved: false, user_can_approve: true };
const neither = { user_has_approved: false, user_can_approve: false };
const notesOf = async ({ id }: TestMergeRequest) => {
  const notes = await db.note.findMany({ where: { mergeRequestId: id }, orderBy: { id: 'asc' } });
  return notes.map(({ body, isSystem, authorId }) => ({ body, isSystem, authorId }));
};

describe('GET /projects/:id/merge_requests/:merge_request_iid/approvals', async () => {
  const shown = await createMergeRequest('shown');
  const path = `${list}/${shown.iid}/approvals`;
  await as(ada).post(`${list}/${shown.iid}/approve`);
  await as(bob).post(`${list}/${shown.iid}/approve`);

  test.each([
    ['a developer who approved it', bob, done],
    ['an administrator', root, open],
    ['a reporter', carl, neither],
  ])('shows the approvals to %s', async (_, user, own) => {
    expect(await as(user).get(path)).toEqual({
      status: 200,
      body: approvalsShape(shown, 'shown', [ada, bob], own),
    });
  });

  test('is refused to users who may not see the merge request', async () => {
    expect(await as(null).get(path)).toEqual(refused.missing('Project'));
    expect(await as(eve).get(path)).toEqual(refused.missing('Project'));
    expect(await as(dora).get(path)).toEqual(refused.forbidden);
    expect(await as(bob).get(`${list}/999/approvals`)).toEqual(refused.record);
  });
});

describe('POST /projects/:id/merge_requests/:merge_request_iid/approve', () => {
  test('approves it once, also by its author, and writes a system note', async () => {
    const mergeRequest = await createMergeRequest('approved');
    const path = `${list}/${mergeRequest.iid}/approve`;
    const body = approvalsShape(mergeRequest, 'approved', [bob], done);
    expect(await as(bob).post(path)).toEqual({ status: 201, body });
    expect(await as(bob).post(path)).toEqual(refused.anonymous);
    expect(await notesOf(mergeRequest)).toEqual([
      { body: 'approved this merge request', isSystem: true, authorId: bob.id },
    ]);
  });

  test('of concurrent approvals by a user one succeeds', async () => {
    const mergeRequest = await createMergeRequest('twice');
    const path = `${list}/${mergeRequest.iid}/approve`;
    const responses = await Promise.all(Array.from({ length: 5 }, () => as(ada).post(path)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401, 401]);
    expect(await notesOf(mergeRequest)).toHaveLength(1);
    expect((await as(carl).get(`${list}/${mergeRequest.iid}/approvals`)).body).toEqual(
      approvalsShape(mergeRequest, 'twice', [ada], neither),
    );
  });

  test('rejects a head commit that is not the present one', async () => {
    const mergeRequest = await createMergeRequest('expected');
    const path = `${list}/${mergeRequest.iid}/approve`;
    const sha = commits.get('expected') ?? '';
    expect(await as(bob).post(path, { sha: commits.get('master') })).toEqual(
      refused.conflict(`SHA does not match HEAD of source branch: ${sha}`),
    );
    expect((await as(bob).post(path, { sha })).status).toBe(201);
  });

  test('is refused below developer, and in archived projects', async () => {
    const mergeRequest = await createMergeRequest('archived');
    const path = `${list}/${mergeRequest.iid}/approve`;
    expect(await as(null).post(path)).toEqual(refused.anonymous);
    expect(await as(eve).post(path)).toEqual(refused.missing('Project'));
    expect(await as(carl).post(path)).toEqual(refused.forbidden);
    expect(await as(dora).post(path)).toEqual(refused.forbidden);
    expect(await as(bob).post(`${list}/999/approve`)).toEqual(refused.record);
    await as(ada).post(`/projects/${app}/archive`);
    expect(await as(ada).post(path)).toEqual(refused.forbidden);
    await as(ada).post(`/projects/${app}/unarchive`);
    expect(await notesOf(mergeRequest)).toEqual([]);
  });
});

describe('POST /projects/:id/merge_requests/:merge_request_iid/unapprove', () => {
  test("withdraws the caller's approval, and writes a system note", async () => {
    const mergeRequest = await createMergeRequest('withdrawn');
    const path = `${list}/${mergeRequest.iid}`;
    await as(ada).post(`${path}/approve`);
    expect(await as(bob).post(`${path}/unapprove`)).toEqual(refused.record);
    expect(await as(ada).post(`${path}/unapprove`)).toEqual({
      status: 201,
      body: approvalsShape(mergeRequest, 'withdrawn', [], open),
    });
    expect(await as(ada).post(`${path}/unapprove`)).toEqual(refused.record);
    expect((await notesOf(mergeRequest)).map(({ body }) => body)).toEqual([
      'approved this merge request',
      'unapproved this merge request',
    ]);
    expect(await as(null).post(`${path}/unapprove`)).toEqual(refused.anonymous);
    expect(await as(carl).post(`${path}/unapprove`)).toEqual(refused.forbidden);
    expect(await as(eve).post(`${path}/unapprove`)).toEqual(refused.missing('Project'));
  });
});
