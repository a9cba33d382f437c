import { describe, expect, test } from 'vitest';
import type { Parameters } from '../support/client.ts';
import type { TestUser } from '../support/seed.ts';
import { fullIssueShape, issueShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url } = await world();
const ada = await seed.user('ada');
const guest = await seed.user('guest');
const reporter = await seed.user('reporter');
const outsider = await seed.user('outsider');
const external = await seed.user('external', { isExternal: true });

await seed.group('acme', { owner: ada }, { visibility: 'public' });
await seed.group('acme/tools', {}, { visibility: 'public' });
const members = { guest, reporter };
const open = await seed.project('acme/open', members, { visibility: 'public' });
const inner = await seed.project('acme/tools/inner', members, { visibility: 'internal' });
const hidden = await seed.project('acme/hidden', members, { visibility: 'private' });
const off = await seed.project('acme/off', members, {
  visibility: 'public',
  issues_enabled: false,
});

interface Made {
  readonly id: number;
  readonly iid: number;
}

async function createIssue(
  project: { id: number },
  author: TestUser,
  fields: Parameters,
): Promise<Made> {
  const { status, body } = await as(author).post(`/projects/${project.id}/issues`, fields);
  expect(status).toBe(201);
  return body as Made;
}

const milestone = await as(ada).post(`/projects/${open.id}/milestones`, { title: 'v1' });
const first = await createIssue(open, guest, { title: 'First', description: 'A door squeaks' });
const second = await createIssue(open, reporter, {
  title: 'Second 100%',
  labels: 'bug,urgent',
  milestone_id: (milestone.body as Made).id,
  assignee_ids: [guest.id],
});
const secret = await createIssue(open, reporter, { title: 'Secret', confidential: true });
const guests = await createIssue(open, guest, { title: 'Mine', confidential: true });
await as(ada).put(`/projects/${open.id}/issues/${first.iid}`, { state_event: 'close' });
const internal = await createIssue(inner, guest, { title: 'Internal' });
const closed = await createIssue(hidden, reporter, { title: 'Private', labels: 'bug' });
await as(guest).post(`/projects/${open.id}/issues/${second.iid}/award_emoji`, { name: 'tada' });

/** The ids on a page. */
async function ids(person: TestUser, path: string): Promise<readonly number[]> {
  const { status, body } = await as(person).get(path);
  expect(status).toBe(200);
  return (body as Made[]).map(({ id }) => id);
}

describe('GET /projects/:id/issues/:issue_iid', () => {
  const path = `/projects/${open.id}/issues/`;
  const traits = { projectId: open.id, fullPath: 'acme/open' };

  test('shows an issue with its links and the caller’s subscription', async () => {
    const { body } = await as(guest).get(path + first.iid);
    const shape = fullIssueShape(url, { ...traits, ...first, title: 'First', author: guest }, true);
    expect(body).toEqual({
      ...shape,
      description: 'A door squeaks',
      state: 'closed',
      closed_at: expect.any(String),
    });
    expect(await as(outsider).get(path + first.iid)).toEqual({
      status: 200,
      body: { ...(body as object), subscribed: false },
    });
  });

  test('accepts the project’s path', async () => {
    expect(await as(outsider).get(`/projects/acme%2Fopen/issues/${first.iid}`)).toMatchObject({
      status: 200,
      body: { id: first.id },
    });
  });

  test('ignores a doubled slash, which old clients send', async () => {
    expect((await as(guest).get(`/projects/${open.id}/issues//${first.iid}`)).status).toBe(200);
  });

  test('anonymous users get 401, even in a public project', async () => {
    expect(await as(null).get(path + first.iid)).toEqual(refused.anonymous);
  });

  test.each([
    ['a non-member', outsider, 404],
    ['a guest', guest, 404],
    ['a reporter', reporter, 200],
    ['the owner of the group', ada, 200],
    ['an administrator', root, 200],
  ])('a confidential issue, requested by %s: %i', async (_viewer, person, status) => {
    const response = await as(person).get(path + secret.iid);
    expect(response.status).toBe(status);
    if (status === 404) expect(response).toEqual(refused.record);
  });

  test('the author of a confidential issue sees it', async () => {
    expect((await as(guest).get(path + guests.iid)).status).toBe(200);
    expect(await as(outsider).get(path + guests.iid)).toEqual(refused.record);
  });

  test('a missing issue responds with 404, and so does a number that is not numeric', async () => {
    expect(await as(ada).get(`${path}99`)).toEqual(refused.record);
    expect(await as(ada).get(`${path}99999999999`)).toEqual(refused.record);
    expect(await as(ada).get(`${path}x`)).toEqual(refused.parameter('issue_iid is invalid'));
  });

  test('an invisible project responds with 404, a project with issues disabled with 403', async () => {
    const response = await as(outsider).get(`/projects/${hidden.id}/issues/1`);
    expect(response).toEqual(refused.missing('Project'));
    expect(await as(external).get(`/projects/${inner.id}/issues/1`)).toEqual(
      refused.missing('Project'),
    );
    expect(await as(ada).get(`/projects/${off.id}/issues/1`)).toEqual(refused.forbidden);
  });
});

describe('GET /projects/:id/issues', () => {
  const path = `/projects/${open.id}/issues`;

  test('lists whole issues, the newest first', async () => {
    const traits = { projectId: open.id, fullPath: 'acme/open' };
    const secretShape = issueShape(url, {
      ...traits,
      ...secret,
      title: 'Secret',
      author: reporter,
    });
    const { body } = await as(reporter).get(`${path}?state=opened`);
    expect((body as object[])[1]).toEqual({ ...secretShape, confidential: true });
    expect(await ids(reporter, path)).toEqual([guests, secret, second, first].map(({ id }) => id));
  });

  test('lists confidential issues only for users who can see them', async () => {
    expect(await ids(outsider, path)).toEqual([second.id, first.id]);
    expect(await ids(guest, path)).toEqual([guests.id, second.id, first.id]);
    const response = await as(outsider).fetch(path);
    expect(response.headers.get('X-Total')).toBe('2');
  });

  test('refuses anonymous users, invisible projects and disabled issues', async () => {
    expect(await as(null).get(path)).toEqual(refused.anonymous);
    expect(await as(outsider).get(`/projects/${hidden.id}/issues`)).toEqual(
      refused.missing('Project'),
    );
    expect(await as(ada).get(`/projects/${off.id}/issues`)).toEqual(refused.forbidden);
  });

  const all = [guests, secret, second, first];
  test.each<[string, readonly Made[]]>([
    ['state=all', all],
    ['state=closed', [first]],
    ['state=opened', [guests, secret, second]],
    ['labels=bug', [second]],
    ['labels=bug,urgent', [second]],
    ['labels=bug,other', []],
    [`labels=${'bug,urgent,'.repeat(9)}`, [second]],
    ['labels=No%20Label', [guests, secret, first]],
    ['milestone=v1', [second]],
    ['milestone=v2', []],
    ['milestone=No%20Milestone', [guests, secret, first]],
    ['milestone=Any%20Milestone', [second]],
    [`iids[]=${first.iid}&iids[]=${secret.iid}`, [secret, first]],
    ['iids[]=', all],
    ['search=SQUEAK', [first]],
    ['search=100%25', [second]],
    ['search=%25', [second]],
    [`author_id=${reporter.id}`, [secret, second]],
    [`assignee_id=${guest.id}`, [second]],
    ['assignee_id=0', [guests, secret, first]],
    ['created_after=2000-01-01T00:00:00Z', all],
    ['created_before=2000-01-01T00:00:00Z', []],
    ['updated_before=2000-01-01T00:00:00Z', []],
    ['sort=asc', all.toReversed()],
    ['order_by=created_at&sort=asc', all.toReversed()],
    ['per_page=1&page=2', [secret]],
  ])('%s', async (query, expected) => {
    expect(await ids(reporter, `${path}?${query}`)).toEqual(expected.map(({ id }) => id));
  });

  test('order_by=updated_at lists the latest changed first', async () => {
    await as(reporter).put(`${path}/${second.iid}`, { description: 'Touched' });
    const [latest] = await ids(reporter, `${path}?order_by=updated_at`);
    expect(latest).toBe(second.id);
  });

  test('my_reaction_emoji lists the issues with the caller’s own award', async () => {
    expect(await ids(guest, `${path}?my_reaction_emoji=tada`)).toEqual([second.id]);
    expect(await ids(reporter, `${path}?my_reaction_emoji=tada`)).toEqual([]);
  });

  test.each([
    ['state=new', 'state does not have a valid value'],
    ['order_by=title', 'order_by does not have a valid value'],
    ['sort=up', 'sort does not have a valid value'],
    ['scope=mine', 'scope does not have a valid value'],
    ['author_id=x', 'author_id is invalid'],
    ['assignee_id=x', 'assignee_id is invalid'],
    ['assignee_id=99999999999', 'assignee_id is invalid'],
    ['iids[]=x', 'iids is invalid'],
    ['created_after=yesterday', 'created_after is invalid'],
    ['created_before=2016-13-01', 'created_before is invalid'],
    ['per_page=x', 'per_page is invalid'],
  ])('%s is rejected', async (query, text) => {
    expect(await as(ada).get(`${path}?${query}`)).toEqual(refused.parameter(text));
  });
});

describe('GET /issues', () => {
  test('lists the caller’s own issues of all visible projects', async () => {
    expect(await ids(guest, '/issues')).toEqual([internal.id, guests.id, first.id]);
    expect(await ids(outsider, '/issues')).toEqual([]);
    expect(await as(null).get('/issues')).toEqual(refused.anonymous);
  });

  test('scope lists assigned issues, or all', async () => {
    for (const scope of ['assigned-to-me', 'assigned_to_me']) {
      expect(await ids(guest, `/issues?scope=${scope}`)).toEqual([second.id]);
    }
    expect(await ids(outsider, '/issues?scope=all')).toEqual([internal.id, second.id, first.id]);
    expect(await ids(external, '/issues?scope=all')).toEqual([second.id, first.id]);
    const everything = [closed, internal, guests, secret, second, first].map(({ id }) => id);
    for (const person of [reporter, ada, root]) {
      expect(await ids(person, '/issues?scope=all')).toEqual(everything);
    }
    expect(await ids(guest, '/issues?scope=all')).toEqual(
      everything.filter((id) => id !== secret.id),
    );
  });

  test('filters by label names in all projects', async () => {
    expect(await ids(reporter, '/issues?scope=all&labels=bug')).toEqual([closed.id, second.id]);
  });
});

test('accepts any number of labels', async () => {
  const labelled = await seed.project('acme/labelled', members, { visibility: 'private' });
  const names = Array.from({ length: 1000 }, (_, index) => `n${index}`);
  const { id } = await createIssue(labelled, reporter, { title: 'It', labels: names.slice(0, 9) });
  await createIssue(labelled, reporter, { title: 'Fewer', labels: names.slice(0, 8) });
  const path = `/projects/${labelled.id}/issues?labels=`;
  expect(await ids(reporter, path + names.slice(0, 9).toReversed())).toEqual([id]);
  expect(await ids(reporter, path + names.slice(0, 10))).toEqual([]);
  expect(await ids(reporter, path + names)).toEqual([]);
});

test('finds labels of the project and of the groups above it by name, not those of others', async () => {
  const label = { name: 'shared', color: '#FFFFFF' };
  expect((await as(ada).post('/groups/acme/labels', label)).status).toBe(201);
  await seed.group('elsewhere', { owner: ada });
  const above = await seed.project('acme/above', members, { visibility: 'private' });
  const below = await seed.project('acme/tools/below', members, { visibility: 'private' });
  const beside = await seed.project('elsewhere/beside', members, { visibility: 'private' });
  const own = await createIssue(above, reporter, { title: 'Own', labels: ['shared', 'single'] });
  const inherited = await createIssue(below, reporter, { title: 'Below', labels: ['shared'] });
  const other = await createIssue(beside, reporter, { title: 'Other', labels: ['shared'] });
  const listed = (path: string) => ids(reporter, `${path}/issues?scope=all&labels=shared`);
  expect(await listed(`/projects/${above.id}`)).toEqual([own.id]);
  expect(await listed(`/projects/${below.id}`)).toEqual([inherited.id]);
  expect(await listed(`/projects/${beside.id}`)).toEqual([other.id]);
  expect(await listed('/groups/acme')).toEqual([inherited.id, own.id]);
  expect(await listed('/groups/acme%2Ftools')).toEqual([inherited.id]);
  expect(await listed('')).toEqual([other.id, inherited.id, own.id]);
  expect(await ids(reporter, '/groups/acme/issues?labels=shared,single')).toEqual([own.id]);
  for (const { id } of [above, below, beside]) {
    expect((await as(root).delete(`/projects/${id}`)).status).toBe(202);
  }
});

describe('GET /groups/:id/issues', () => {
  test('lists the issues of all visible projects below the group', async () => {
    const acme = '/groups/acme/issues';
    expect(await ids(outsider, acme)).toEqual([internal.id, second.id, first.id]);
    expect(await ids(reporter, `${acme}?state=closed`)).toEqual([first.id]);
    expect(await ids(reporter, `${acme}?search=private`)).toEqual([closed.id]);
    expect(await ids(outsider, '/groups/acme%2Ftools/issues')).toEqual([internal.id]);
  });

  test('refuses anonymous users and missing groups', async () => {
    expect(await as(null).get('/groups/acme/issues')).toEqual(refused.anonymous);
    expect(await as(ada).get('/groups/nowhere/issues')).toEqual(refused.missing('Group'));
  });
});

test('an issue of a removed project is not listed anywhere', async () => {
  const deleted = await seed.project('acme/deleted', {}, { visibility: 'public' });
  const { id, iid } = await createIssue(deleted, ada, { title: 'Gone' });
  expect(await ids(ada, '/issues?scope=all')).toContain(id);
  expect((await as(ada).delete(`/projects/${deleted.id}`)).status).toBe(202);
  expect(await ids(ada, '/issues?scope=all')).not.toContain(id);
  expect(await as(ada).get(`/projects/${deleted.id}/issues/${iid}`)).toEqual(
    refused.missing('Project'),
  );
});
