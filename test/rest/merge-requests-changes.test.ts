import { describe, expect, test } from 'vitest';
import type { Parameters } from '../support/client.ts';
import {
  mergeRequestShape,
  pushBranches,
  type TestMergeRequest,
} from '../support/merge-requests.ts';
import type { TestUser } from '../support/seed.ts';
import { basicUserShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, remote, db } = await world({
  settings: { defaultBranchProtection: 0 },
});
const ada = await seed.user('ada');
const guest = await seed.user('guest');
const reporter = await seed.user('reporter');
const developer = await seed.user('developer');
const outsider = await seed.user('outsider');

await seed.group('acme', { owner: ada }, { visibility: 'public' });
const members = { guest, reporter, developer };
const open = await seed.project('acme/open', members, { visibility: 'public' });
const hidden = await seed.project('acme/hidden', members, { visibility: 'private' });
const archived = await seed.project('acme/old', members, { visibility: 'public' });
const names = Array.from({ length: 20 }, (_, n) => `b${n}`);
const free = Array.from({ length: 40 }, (_, n) => `c${n}`);
const commits = await pushBranches(remote('acme/open', root), [...names, ...free, 'other']);
await pushBranches(remote('acme/hidden', root), ['one']);
await pushBranches(remote('acme/old', root), ['one', 'two']);

const path = `/projects/${open.id}/merge_requests`;
/** A branch that no merge request uses yet. */
const next = () => free.pop() ?? '';

interface Made extends TestMergeRequest {
  readonly source_branch: string;
  readonly labels: readonly string[];
  readonly assignee: { readonly id: number } | null;
}

async function createMergeRequest(author: TestUser, fields: Parameters = {}): Promise<Made> {
  const source_branch = fields.source_branch ?? next();
  const branches = { target_branch: 'master', title: 'It', ...fields, source_branch };
  const { status, body } = await as(author).post(path, branches);
  expect([status, body]).toEqual([201, expect.anything()]);
  return body as Made;
}

const notesOf = async ({ id }: TestMergeRequest) => {
  const where = { mergeRequestId: id };
  const notes = await db.note.findMany({ where, orderBy: { id: 'asc' } });
  return notes.map(({ body }) => body);
};

const eventsOf = async ({ id }: TestMergeRequest) => {
  const where = { target: 'merge_request', targetId: id } as const;
  return db.event.findMany({
    where,
    select: { action: true, authorId: true, targetTitle: true },
    orderBy: { id: 'asc' },
  });
};

const old = await as(developer).post(`/projects/${archived.id}/merge_requests`, {
  source_branch: 'one',
  target_branch: 'master',
  title: 'Old',
});
await as(ada).post(`/projects/${archived.id}/archive`);

describe('POST /projects/:id/merge_requests', () => {
  const branches = { source_branch: 'b1', target_branch: 'master', title: 'It' };

  test('creates a merge request and keeps its head commit', async () => {
    const source_branch = next();
    const { status, body } = await as(developer).post(path, { ...branches, source_branch });
    const mergeRequest = body as Made;
    expect([status, body]).toEqual([
      201,
      {
        ...mergeRequestShape(url, {
          ...mergeRequest,
          projectId: open.id,
          fullPath: 'acme/open',
          title: 'It',
          sourceBranch: source_branch,
          sha: commits.get(source_branch),
          author: developer,
        }),
        subscribed: true,
        head_pipeline: null,
      },
    ]);
    expect(await eventsOf(mergeRequest)).toEqual([
      { action: 'created', authorId: developer.id, targetTitle: 'It' },
    ]);
    const { status: read } = await as(outsider).get(`${path}/${mergeRequest.iid}/commits`);
    expect(read).toBe(200);
  });

  test.each([
    ['a non-member', outsider],
    ['a guest', guest],
    ['a reporter', reporter],
  ])('%s gets 403', async (_caller, person) => {
    expect(await as(person).post(path, branches)).toEqual(refused.forbidden);
  });

  test('anonymous users, archived and invisible projects are refused', async () => {
    expect(await as(null).post(path, branches)).toEqual(refused.anonymous);
    expect(await as(outsider).post(`/projects/${hidden.id}/merge_requests`, branches)).toEqual(
      refused.missing('Project'),
    );
    const input = { source_branch: 'two', target_branch: 'master', title: 'It' };
    expect(await as(ada).post(`/projects/${archived.id}/merge_requests`, input)).toEqual(
      refused.forbidden,
    );
  });

  test.each([
    [{ title: undefined }, 'title is missing'],
    [{ source_branch: undefined }, 'source_branch is missing'],
    [{ target_branch: undefined }, 'target_branch is missing'],
    [{ assignee_id: 'x' }, 'assignee_id is invalid'],
    [{ remove_source_branch: 'perhaps' }, 'remove_source_branch is invalid'],
  ])('%j is rejected', async (fields, text) => {
    const response = await as(developer).post(path, { ...branches, ...fields });
    expect(response).toEqual(refused.parameter(text));
  });

  test('a blank or too long title is rejected', async () => {
    expect(await as(developer).post(path, { ...branches, title: ' ' })).toEqual(
      refused.invalid({ title: ["can't be blank"] }),
    );
    expect(await as(developer).post(path, { ...branches, title: 'x'.repeat(256) })).toEqual(
      refused.invalid({ title: ['is too long (maximum is 255 characters)'] }),
    );
    await createMergeRequest(developer, { title: 'x'.repeat(255) });
  });

  test.each([
    ['master', 'master', 'You can not use same project/branch for source and target'],
    ['none', 'master', 'Source branch "none" does not exist'],
    ['../x y', 'master', 'Source branch "../x y" does not exist'],
    ['b1', 'none', 'Target branch "none" does not exist'],
    ['b1', '', 'Target branch "" does not exist'],
  ])('from %s to %s is rejected', async (source_branch, target_branch, text) => {
    const response = await as(developer).post(path, { title: 'It', source_branch, target_branch });
    expect(response).toEqual({ status: 422, body: { error: [text] } });
  });

  test('the same branches can have only one open merge request', async () => {
    const mergeRequest = await createMergeRequest(developer, { title: 'A "title"' });
    const again = { ...branches, source_branch: mergeRequest.source_branch };
    expect(await as(ada).post(path, again)).toEqual({
      status: 409,
      body: { message: ['Cannot Create: This merge request already exists: ["A \\"title\\""]'] },
    });
    await as(ada).put(`${path}/${mergeRequest.iid}`, { state_event: 'close' });
    expect((await as(ada).post(path, again)).status).toBe(201);
    expect(await as(ada).put(`${path}/${mergeRequest.iid}`, { state_event: 'reopen' })).toEqual({
      status: 409,
      body: { message: ['Cannot Create: This merge request already exists: ["It"]'] },
    });
  });

  test('twenty concurrent requests between the same branches create one merge request', async () => {
    const source_branch = next();
    const responses = await Promise.all(
      names.map(() => as(developer).post(path, { ...branches, source_branch })),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, ...names.slice(1).map(() => 409)]);
  });

  test('twenty concurrent requests get numbers without gaps', async () => {
    const { lastMergeRequestIid } = await db.project.findUniqueOrThrow({ where: { id: open.id } });
    const responses = await Promise.all(
      names.map((source_branch) => createMergeRequest(developer, { source_branch })),
    );
    const iids = responses.map(({ iid }) => iid).toSorted((a, b) => a - b);
    expect(iids).toEqual(names.map((_, n) => lastMergeRequestIid + n + 1));
  });

  test('ignores an assignee who cannot see the private project, and a foreign milestone', async () => {
    const foreignMilestone = await as(ada).post(`/projects/${open.id}/milestones`, {
      title: 'Elsewhere',
    });
    const { body } = await as(developer).post(`/projects/${hidden.id}/merge_requests`, {
      source_branch: 'one',
      target_branch: 'master',
      title: 'It',
      assignee_id: outsider.id,
      milestone_id: (foreignMilestone.body as Made).id,
    });
    expect(body).toMatchObject({ assignee: null, milestone: null });
  });
});

describe('PUT /projects/:id/merge_requests/:merge_request_iid', () => {
  test('updates the given fields, with system notes', async () => {
    const mergeRequest = await createMergeRequest(developer);
    const milestone = await as(ada).post(`/projects/${open.id}/milestones`, { title: 'v1' });
    const response = await as(developer).put(`${path}/${mergeRequest.iid}`, {
      title: 'Other',
      description: 'Why',
      target_branch: 'other',
      labels: 'bug',
      assignee_id: ada.id,
      milestone_id: (milestone.body as Made).id,
      discussion_locked: true,
      remove_source_branch: true,
    });
    expect(response).toEqual({
      status: 200,
      body: {
        ...mergeRequest,
        title: 'Other',
        description: 'Why',
        target_branch: 'other',
        labels: ['bug'],
        assignee: basicUserShape(url, ada),
        milestone: milestone.body,
        discussion_locked: true,
        force_remove_source_branch: true,
        merge_status: expect.any(String),
        updated_at: expect.any(String),
      },
    });
    const label = await db.label.findFirstOrThrow({ where: { projectId: open.id, name: 'bug' } });
    expect(await notesOf(mergeRequest)).toEqual([
      'changed title from **{-It-}** to **{+Other+}**',
      'changed the description',
      'changed target branch from `master` to `other`',
      'locked this merge request',
      'changed milestone to %"v1"',
      `added ~${label.id} label`,
      'assigned to @ada',
    ]);
    const cleared = { assignee_id: 0, milestone_id: '', labels: '' };
    expect((await as(developer).put(`${path}/${mergeRequest.iid}`, cleared)).body).toMatchObject({
      assignee: null,
      milestone: null,
      labels: [],
    });
    const assigneeOf = async (assignee_ids: readonly number[]) =>
      ((await as(developer).put(`${path}/${mergeRequest.iid}`, { assignee_ids })).body as Made)
        .assignee?.id;
    expect(await assigneeOf([ada.id, developer.id])).toBe(ada.id);
    expect(await assigneeOf([0])).toBeUndefined();
  });

  test('a draft prefix gets its own system note', async () => {
    const mergeRequest = await createMergeRequest(developer);
    const { body } = await as(developer).put(`${path}/${mergeRequest.iid}`, { title: '[WIP] It' });
    expect(body).toMatchObject({ work_in_progress: true, title: '[WIP] It' });
    await as(developer).put(`${path}/${mergeRequest.iid}`, { title: 'It' });
    expect(await notesOf(mergeRequest)).toEqual([
      'marked as a **Work In Progress**',
      'unmarked as a **Work In Progress**',
    ]);
  });

  test('closes and reopens; repeating it changes nothing', async () => {
    const mergeRequest = await createMergeRequest(developer);
    const mergeRequestPath = `${path}/${mergeRequest.iid}`;
    expect((await as(ada).put(mergeRequestPath, { state_event: 'close' })).body).toMatchObject({
      state: 'closed',
    });
    expect((await as(ada).put(mergeRequestPath, { state_event: 'close' })).status).toBe(200);
    expect((await as(ada).put(mergeRequestPath, { target_branch: 'other' })).body).toMatchObject({
      target_branch: 'master',
    });
    expect((await as(ada).put(mergeRequestPath, { state_event: 'reopen' })).body).toMatchObject({
      state: 'opened',
    });
    expect(await notesOf(mergeRequest)).toEqual(['closed', 'reopened']);
    expect((await eventsOf(mergeRequest)).map(({ action }) => action)).toEqual([
      'created',
      'closed',
      'reopened',
    ]);
  });

  test('a merged merge request can be neither closed nor reopened', async () => {
    const mergeRequest = await createMergeRequest(developer);
    await db.mergeRequest.update({ where: { id: mergeRequest.id }, data: { state: 'merged' } });
    for (const state_event of ['close', 'reopen']) {
      const { status, body } = await as(ada).put(`${path}/${mergeRequest.iid}`, { state_event });
      expect([status, body]).toEqual([200, expect.objectContaining({ state: 'merged' })]);
    }
  });

  test('a merge request whose branch was deleted cannot be reopened', async () => {
    const mergeRequest = await createMergeRequest(developer);
    await as(ada).put(`${path}/${mergeRequest.iid}`, { state_event: 'close' });
    await as(ada).delete(`/projects/${open.id}/repository/branches/${mergeRequest.source_branch}`);
    expect(await as(ada).put(`${path}/${mergeRequest.iid}`, { state_event: 'reopen' })).toEqual({
      status: 422,
      body: { error: [`Source branch "${mergeRequest.source_branch}" does not exist`] },
    });
  });

  test('the target branch must exist and differ from the source', async () => {
    const mergeRequest = await createMergeRequest(developer);
    const change = (target_branch: string) =>
      as(ada).put(`${path}/${mergeRequest.iid}`, { target_branch });
    expect(await change('none')).toMatchObject({ status: 422 });
    expect(await change(mergeRequest.source_branch)).toMatchObject({ status: 422 });
  });

  test.each([
    ['an anonymous user', null, refused.anonymous],
    ['a non-member', outsider, refused.forbidden],
    ['a guest', guest, refused.forbidden],
    ['a reporter', reporter, refused.forbidden],
  ])('%s gets 403', async (_caller, person, refusal) => {
    const mergeRequest = await createMergeRequest(developer);
    expect(await as(person).put(`${path}/${mergeRequest.iid}`, { title: 'Mine' })).toEqual(refusal);
  });

  test('an author who is no longer a developer changes only texts and state', async () => {
    const leaver = await seed.user('leaver');
    await as(ada).post(`/projects/${open.id}/members`, { user_id: leaver.id, access_level: 30 });
    const mergeRequest = await createMergeRequest(leaver);
    await as(ada).delete(`/projects/${open.id}/members/${leaver.id}`);
    const change = { title: 'Mine', labels: 'bug', assignee_id: ada.id, discussion_locked: true };
    expect((await as(leaver).put(`${path}/${mergeRequest.iid}`, change)).body).toMatchObject({
      title: 'Mine',
      labels: [],
      assignee: null,
      discussion_locked: null,
    });
  });

  test('an archived project’s merge requests cannot be changed', async () => {
    const { iid } = old.body as Made;
    const mergeRequestPath = `/projects/${archived.id}/merge_requests/${iid}`;
    expect(await as(ada).put(mergeRequestPath, { title: 'New' })).toEqual(refused.forbidden);
    expect(await as(ada).delete(mergeRequestPath)).toEqual(refused.forbidden);
    expect(await as(ada).post(`${mergeRequestPath}/time_estimate`, { duration: '1h' })).toEqual(
      refused.forbidden,
    );
  });

  test('at least one valid field is required', async () => {
    const mergeRequestPath = `${path}/1`;
    expect(await as(ada).put(mergeRequestPath, {})).toEqual(
      refused.parameter(
        'assignee_id, description, discussion_locked, labels, milestone_id, ' +
          'remove_source_branch, state_event, target_branch, title are missing, ' +
          'at least one parameter must be provided',
      ),
    );
    expect(await as(ada).put(mergeRequestPath, { state_event: 'merge' })).toEqual(
      refused.parameter('state_event does not have a valid value'),
    );
    expect(await as(ada).put(`${path}/9999`, { title: 'It' })).toEqual(refused.record);
  });
});

describe('DELETE /projects/:id/merge_requests/:merge_request_iid', () => {
  test('owners delete a merge request, and its number is not reused', async () => {
    const mergeRequest = await createMergeRequest(developer);
    for (const person of [outsider, guest, reporter, developer]) {
      expect(await as(person).delete(`${path}/${mergeRequest.iid}`)).toEqual(refused.forbidden);
    }
    expect(await as(null).delete(`${path}/${mergeRequest.iid}`)).toEqual(refused.anonymous);
    expect((await as(ada).delete(`${path}/${mergeRequest.iid}`)).status).toBe(204);
    expect(await as(ada).get(`${path}/${mergeRequest.iid}`)).toEqual(refused.record);
    const { iid } = await createMergeRequest(developer, {
      source_branch: mergeRequest.source_branch,
    });
    expect(iid).toBe(mergeRequest.iid + 1);
  });
});
