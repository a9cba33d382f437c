import { describe, expect, test } from 'vitest';
import type { Parameters } from '../support/client.ts';
import {
  mergeRequestShape,
  pushBranches,
  type TestMergeRequest,
} from '../support/merge-requests.ts';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, remote } = await world();
const ada = await seed.user('ada');
const guest = await seed.user('guest');
const reporter = await seed.user('reporter');
const developer = await seed.user('developer');
const outsider = await seed.user('outsider');

await seed.group('acme', { owner: ada }, { visibility: 'public' });
const members = { guest, reporter, developer };
const open = await seed.project('acme/open', members, { visibility: 'public' });
const hidden = await seed.project('acme/hidden', members, { visibility: 'private' });
const off = await seed.project('acme/off', members, { visibility: 'public' });
const commits = await pushBranches(remote('acme/open', root), ['one', 'two', 'three', 'four']);
await pushBranches(remote('acme/hidden', root), ['one']);
await pushBranches(remote('acme/off', root), ['one']);

async function createMergeRequest(
  project: { readonly id: number },
  author: TestUser,
  source: string,
  fields: Parameters = {},
): Promise<TestMergeRequest> {
  const { status, body } = await as(author).post(`/projects/${project.id}/merge_requests`, {
    source_branch: source,
    target_branch: 'master',
    title: source,
    ...fields,
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body as TestMergeRequest;
}

const milestone = await as(ada).post(`/projects/${open.id}/milestones`, { title: 'v1' });
const first = await createMergeRequest(open, developer, 'one', { description: 'A door squeaks' });
const second = await createMergeRequest(open, ada, 'two', {
  title: 'WIP: Second 100%',
  labels: 'bug,urgent',
  milestone_id: (milestone.body as TestMergeRequest).id,
  assignee_id: guest.id,
  remove_source_branch: true,
});
const third = await createMergeRequest(open, developer, 'three');
const secret = await createMergeRequest(hidden, developer, 'one', { labels: 'bug' });
await createMergeRequest(off, developer, 'one');
await as(ada).put(`/projects/${off.id}`, { name: 'off', merge_requests_enabled: false });
await as(ada).put(`/projects/${open.id}/merge_requests/${first.iid}`, { state_event: 'close' });
await as(guest).post(`/projects/${open.id}/merge_requests/${second.iid}/award_emoji`, {
  name: 'tada',
});

/** The ids on a page. */
async function ids(person: TestUser | null, path: string): Promise<readonly number[]> {
  const { status, body } = await as(person).get(path);
  expect([status, body]).toEqual([200, expect.any(Array)]);
  return (body as TestMergeRequest[]).map(({ id }) => id);
}

const shapeOf = (mergeRequest: TestMergeRequest, source: string, author: TestUser) =>
  mergeRequestShape(url, {
    ...mergeRequest,
    projectId: open.id,
    fullPath: 'acme/open',
    title: source,
    sourceBranch: source,
    sha: commits.get(source),
    author,
  });

describe('GET /projects/:id/merge_requests/:merge_request_iid', () => {
  const path = `/projects/${open.id}/merge_requests/`;
  const master = commits.get('master');
  /** What only a single merge request shows. */
  const shown = (branch: string) => ({
    diff_refs: { base_sha: master, start_sha: master, head_sha: commits.get(branch) },
    pipeline: null,
  });

  test('shows the whole merge request and the caller’s subscription', async () => {
    const shape = { ...shapeOf(third, 'three', developer), ...shown('three') };
    expect(await as(developer).get(path + third.iid)).toEqual({
      status: 200,
      body: { ...shape, subscribed: true, head_pipeline: null },
    });
    expect(await as(null).get(`/projects/acme%2Fopen/merge_requests/${third.iid}`)).toEqual({
      status: 200,
      body: { ...shape, subscribed: false, head_pipeline: null },
    });
  });

  test('shows the fields set at its creation', async () => {
    const { body } = await as(guest).get(path + second.iid);
    expect(body).toEqual({
      ...shapeOf(second, 'two', ada),
      ...shown('two'),
      title: 'WIP: Second 100%',
      work_in_progress: true,
      labels: ['bug', 'urgent'],
      milestone: milestone.body,
      assignee: expect.objectContaining({ id: guest.id }),
      force_remove_source_branch: true,
      upvotes: 0,
      updated_at: expect.any(String),
      subscribed: true,
      head_pipeline: null,
    });
  });

  test.each([
    ['an anonymous user', null, 404],
    ['a non-member', outsider, 404],
    ['a guest', guest, 403],
    ['a reporter', reporter, 200],
    ['an administrator', root, 200],
  ])('a merge request of a private project, requested by %s', async (_caller, person, status) => {
    const response = await as(person).get(`/projects/${hidden.id}/merge_requests/${secret.iid}`);
    expect(response.status).toBe(status);
    if (status === 404) expect(response).toEqual(refused.missing('Project'));
    if (status === 403) expect(response).toEqual(refused.forbidden);
  });

  test('a missing merge request responds with 404, and disabled merge requests with 403', async () => {
    expect(await as(ada).get(`${path}99`)).toEqual(refused.record);
    expect(await as(ada).get(`${path}99999999999`)).toEqual(refused.record);
    expect(await as(ada).get(`${path}x`)).toEqual(
      refused.parameter('merge_request_iid is invalid'),
    );
    expect(await as(ada).get(`/projects/${off.id}/merge_requests/1`)).toEqual(refused.forbidden);
  });
});

describe('GET /projects/:id/merge_requests', () => {
  const path = `/projects/${open.id}/merge_requests`;

  test('lists whole merge requests, the newest first, for users who read the code', async () => {
    expect(await ids(null, path)).toEqual([third.id, second.id, first.id]);
    const { body } = await as(outsider).get(`${path}?per_page=1`);
    expect(body).toEqual([shapeOf(third, 'three', developer)]);
    expect(await as(null).get(`/projects/${hidden.id}/merge_requests`)).toEqual(
      refused.missing('Project'),
    );
    expect(await as(guest).get(`/projects/${hidden.id}/merge_requests`)).toEqual(refused.forbidden);
    expect(await ids(reporter, `/projects/${hidden.id}/merge_requests`)).toEqual([secret.id]);
    expect(await as(ada).get(`/projects/${off.id}/merge_requests`)).toEqual(refused.forbidden);
  });

  test('view=simple shows few fields', async () => {
    const { body } = await as(null).get(`${path}?view=simple&per_page=1`);
    expect(body).toEqual([
      {
        id: third.id,
        iid: third.iid,
        project_id: open.id,
        title: 'three',
        description: null,
        state: 'opened',
        created_at: expect.any(String),
        updated_at: expect.any(String),
        web_url: `${url}/acme/open/merge_requests/${third.iid}`,
      },
    ]);
  });

  test.each([
    ['state=opened', [third, second]],
    ['state=closed', [first]],
    ['state=merged', []],
    ['state=locked', []],
    ['state=all&sort=asc', [first, second, third]],
    ['iids[]=1&iids[]=3', [third, first]],
    ['labels=bug,urgent', [second]],
    ['labels=bug,other', []],
    ['labels=No+Label', [third, first]],
    ['milestone=v1', [second]],
    ['milestone=No+Milestone', [third, first]],
    ['milestone=Any+Milestone', [second]],
    ['search=100%25', [second]],
    ['search=SQUEAKS', [first]],
    ['source_branch=two', [second]],
    ['target_branch=master', [third, second, first]],
    ['target_branch=two', []],
    [`author_id=${ada.id}`, [second]],
    [`assignee_id=${guest.id}`, [second]],
    ['assignee_id=0', [third, first]],
    ['created_after=2099-01-01T00:00:00Z', []],
    ['created_before=2099-01-01T00:00:00Z&updated_after=2000-01-01T00:00:00Z', 'all'],
    ['order_by=updated_at&sort=desc&labels=bug', [second]],
    ['my_reaction_emoji=tada', []],
  ])('%s', async (query, expected) => {
    const mergeRequests =
      expected === 'all' ? [third, second, first] : (expected as TestMergeRequest[]);
    expect(await ids(developer, `${path}?${query}`)).toEqual(mergeRequests.map(({ id }) => id));
  });

  test('my_reaction_emoji filters by the caller’s own awards', async () => {
    expect(await ids(guest, `${path}?my_reaction_emoji=tada`)).toEqual([second.id]);
    expect(await ids(null, `${path}?my_reaction_emoji=tada`)).toEqual([]);
  });

  test.each([
    ['state=open', 'state does not have a valid value'],
    ['view=full', 'view does not have a valid value'],
    ['iids=x', 'iids is invalid'],
    ['author_id=x', 'author_id is invalid'],
    ['order_by=title', 'order_by does not have a valid value'],
  ])('%s is rejected', async (query, text) => {
    expect(await as(ada).get(`${path}?${query}`)).toEqual(refused.parameter(text));
  });
});

describe('GET /merge_requests', () => {
  test('lists the caller’s own merge requests by default', async () => {
    expect(await ids(developer, '/merge_requests')).toEqual([secret.id, third.id, first.id]);
    expect(await ids(guest, '/merge_requests')).toEqual([]);
    expect(await ids(guest, '/merge_requests?scope=assigned-to-me')).toEqual([second.id]);
  });

  test('lists all visible merge requests, without those of projects where they are disabled', async () => {
    const visible = [third.id, second.id, first.id];
    expect(await ids(null, '/merge_requests?scope=all')).toEqual(visible);
    expect(await ids(outsider, '/merge_requests?scope=all')).toEqual(visible);
    expect(await ids(guest, '/merge_requests?scope=all')).toEqual(visible);
    for (const person of [reporter, ada, root]) {
      expect(await ids(person, '/merge_requests?scope=all')).toEqual([secret.id, ...visible]);
    }
  });

  test('scopes other than all require a signed-in user', async () => {
    expect(await as(null).get('/merge_requests')).toEqual(refused.anonymous);
    expect(await as(null).get('/merge_requests?scope=assigned_to_me')).toEqual(refused.anonymous);
  });
});

describe('GET /groups/:id/merge_requests', () => {
  test('lists those of the group’s visible projects', async () => {
    const visible = [third.id, second.id, first.id];
    expect(await ids(null, '/groups/acme/merge_requests')).toEqual(visible);
    expect(await ids(reporter, '/groups/acme/merge_requests')).toEqual([secret.id, ...visible]);
    expect(await as(ada).get('/groups/none/merge_requests')).toEqual(refused.missing('Group'));
  });
});

describe('merge requests in other resources', () => {
  test('labels count the open merge requests that the caller can see', async () => {
    const { body } = await as(guest).get(`/projects/${open.id}/labels`);
    expect(body).toMatchObject([
      { name: 'bug', open_merge_requests_count: 1 },
      { name: 'urgent', open_merge_requests_count: 1 },
    ]);
    const closed = await as(guest).get(`/projects/${hidden.id}/labels`);
    expect(closed.body).toMatchObject([{ name: 'bug', open_merge_requests_count: 0 }]);
  });

  test('a milestone lists its merge requests', async () => {
    const { id } = milestone.body as TestMergeRequest;
    const path = `/projects/${open.id}/milestones/${id}/merge_requests`;
    expect(await ids(outsider, path)).toEqual([second.id]);
    expect(await as(null).get(path)).toEqual(refused.anonymous);
    const missing = await as(ada).get(`/projects/${open.id}/milestones/999/merge_requests`);
    expect(missing).toEqual(refused.record);
  });

  test('an issue lists those that close it, and they list the issue', async () => {
    const createIssue = (title: string) => as(guest).post(`/projects/${open.id}/issues`, { title });
    const [firstIssue, secondIssue] = [await createIssue('One'), await createIssue('Two')];
    const { iid } = firstIssue.body as TestMergeRequest;
    const description = `Look. Closes #${(secondIssue.body as TestMergeRequest).iid} and #${iid}; see #99`;
    const closing = await createMergeRequest(open, developer, 'four', { description });
    const path = `/projects/${open.id}/issues/${iid}/closed_by`;
    expect(await ids(outsider, path)).toEqual([closing.id]);
    expect(await as(outsider).get(`/projects/${open.id}/issues/99/closed_by`)).toEqual(
      refused.record,
    );
    const closes = `/projects/${open.id}/merge_requests/${closing.iid}/closes_issues`;
    expect(await ids(outsider, closes)).toEqual([
      (firstIssue.body as TestMergeRequest).id,
      (secondIssue.body as TestMergeRequest).id,
    ]);
    expect(await as(null).get(closes)).toEqual(refused.anonymous);
    await as(ada).delete(`/projects/${open.id}/merge_requests/${closing.iid}`);
    expect(await ids(outsider, path)).toEqual([]);
  });

  test('survive the deletion of their author', async () => {
    const leaver = await seed.user('leaver');
    await as(ada).post(`/projects/${open.id}/members`, { user_id: leaver.id, access_level: 30 });
    const mergeRequest = await createMergeRequest(open, leaver, 'four');
    await as(root).delete(`/users/${leaver.id}`);
    const { body } = await as(ada).get(`/projects/${open.id}/merge_requests/${mergeRequest.iid}`);
    expect(body).toMatchObject({ id: mergeRequest.id, author: null });
  });
});
