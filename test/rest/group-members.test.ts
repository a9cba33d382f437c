import { describe, expect, test } from 'vitest';
import { memberShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');

const { id: closed } = await seed.group('closed', { owner: ada, master: bob });
const { id: inner } = await seed.group('closed/inner');
const members = `/groups/${closed}/members`;

/** A separate group for a test that changes its members. */
const createGroup = async (path: string) => {
  const { id } = await seed.group(path, { owner: ada, master: bob });
  return `/groups/${id}/members`;
};

describe('GET /groups/:id/members', () => {
  const all = [memberShape(url, root, 50), memberShape(url, ada, 50), memberShape(url, bob, 40)];

  test('lists members to a member, oldest first', async () => {
    expect(await as(bob).get(members)).toEqual({ status: 200, body: all });
    expect(await as(bob).get('/groups/CLOSED/members')).toEqual({ status: 200, body: all });
  });

  test('members of the parent group are not listed', async () => {
    expect(await as(ada).get(`/groups/${inner}/members`)).toEqual({
      status: 200,
      body: [memberShape(url, root, 50)],
    });
  });

  test.each([
    ['BO', [bob]],
    ['ada', [ada]],
    ['_', []],
    ['nobody', []],
  ])('filters by name: %s', async (query, users) => {
    const { body } = await as(ada).get(`${members}?query=${query}`);
    expect((body as { id: number }[]).map(({ id }) => id)).toEqual(users.map(({ id }) => id));
  });

  test('is paginated', async () => {
    const response = await as(ada).fetch(`${members}?per_page=2&page=2`);
    expect({ total: response.headers.get('X-Total'), body: await response.json() }).toEqual({
      total: '3',
      body: all.slice(2),
    });
  });

  test('is refused to an anonymous user, even for a public group', async () => {
    const { id } = await seed.group('open', {}, { visibility: 'public' });
    expect(await as(null).get(`/groups/${id}/members`)).toEqual(refused.anonymous);
    expect((await as(carl).get(`/groups/${id}/members`)).status).toBe(200);
  });

  test('responds with 404 to another user', async () => {
    expect(await as(carl).get(members)).toEqual(refused.missing('Group'));
    expect(await as(ada).get('/groups/0/members')).toEqual(refused.missing('Group'));
  });

  test('rejects a query that is not a string', async () => {
    expect(await as(ada).get(`${members}?query[a]=b`)).toEqual(
      refused.parameter('query is invalid'),
    );
  });
});

describe('GET /groups/:id/members/:user_id', () => {
  test('a member sees another member', async () => {
    expect(await as(bob).get(`${members}/${ada.id}`)).toEqual({
      status: 200,
      body: memberShape(url, ada, 50),
    });
  });

  test('is refused to anonymous and other users', async () => {
    expect(await as(null).get(`${members}/${ada.id}`)).toEqual(refused.anonymous);
    expect(await as(carl).get(`${members}/${ada.id}`)).toEqual(refused.missing('Group'));
  });

  test('responds with 404 for a user without a membership', async () => {
    expect(await as(ada).get(`${members}/${carl.id}`)).toEqual(refused.record);
    expect(await as(ada).get(`${members}/99999999999`)).toEqual(refused.record);
  });

  test('rejects an id that is not a number', async () => {
    expect(await as(ada).get(`${members}/carl`)).toEqual(refused.parameter('user_id is invalid'));
  });
});

describe('POST /groups/:id/members', () => {
  test('an owner adds a member, who can then see the group', async () => {
    const path = await createGroup('adding');
    const input = { user_id: carl.id, access_level: 30, expires_at: '2999-12-31' };
    expect((await as(carl).get(path)).status).toBe(404);
    expect(await as(ada).post(path, input)).toEqual({
      status: 201,
      body: { ...memberShape(url, carl, 30), expires_at: '2999-12-31' },
    });
    expect((await as(carl).get(path)).status).toBe(200);
  });

  test('an expired membership gives no access', async () => {
    const path = await createGroup('expired');
    const expired = { user_id: carl.id, access_level: 50, expires_at: '2001-01-01' };
    expect((await as(ada).post(path, expired)).status).toBe(201);
    expect(await as(carl).get(path)).toEqual(refused.missing('Group'));
  });

  test('is forbidden for a master', async () => {
    const path = await createGroup('mastered');
    expect(await as(bob).post(path, { user_id: carl.id, access_level: 10 })).toEqual(
      refused.forbidden,
    );
  });

  test('is refused to anonymous and other users', async () => {
    const input = { user_id: carl.id, access_level: 10 };
    expect(await as(null).post(members, input)).toEqual(refused.anonymous);
    expect(await as(carl).post(members, input)).toEqual(refused.missing('Group'));
  });

  test('an existing member gives 409', async () => {
    expect(await as(ada).post(members, { user_id: bob.id, access_level: 10 })).toEqual(
      refused.conflict('Member already exists'),
    );
  });

  test('an unknown user gives 404', async () => {
    expect(await as(ada).post(members, { user_id: 999_999, access_level: 10 })).toEqual(
      refused.missing('User'),
    );
  });

  test.each([0, 15, 60, -10])('rejects the level %i', async (access_level) => {
    expect(await as(ada).post(members, { user_id: carl.id, access_level })).toEqual(
      refused.invalid({ access_level: ['is not included in the list'] }),
    );
  });

  test.each([
    [{}, 'access_level is missing, user_id is missing'],
    [{ user_id: 2 ** 31, access_level: 10 }, 'user_id is invalid'],
    [{ user_id: 'carl', access_level: 'master' }, 'access_level is invalid, user_id is invalid'],
    [{ user_id: 1, access_level: 10, expires_at: '2017-02-30' }, 'expires_at is invalid'],
  ])('rejects %o: %s', async (input, text) => {
    expect(await as(ada).post(members, input)).toEqual(refused.parameter(text));
  });
});

describe('PUT /groups/:id/members/:user_id', () => {
  test('an owner changes a level with immediate effect', async () => {
    const path = await createGroup('promoting');
    const change = { access_level: 50 };
    expect(await as(bob).put(`${path}/${bob.id}`, change)).toEqual(refused.forbidden);
    expect(await as(ada).put(`${path}/${bob.id}`, { ...change, expires_at: '2999-01-01' })).toEqual(
      { status: 200, body: { ...memberShape(url, bob, 50), expires_at: '2999-01-01' } },
    );
    expect((await as(bob).put(`${path}/${ada.id}`, { access_level: 10 })).status).toBe(200);
    expect(await as(ada).put(`${path}/${bob.id}`, change)).toEqual(refused.forbidden);
  });

  test('an omitted date stays', async () => {
    const path = await createGroup('dated');
    await as(ada).put(`${path}/${bob.id}`, { access_level: 20, expires_at: '2999-01-01' });
    expect((await as(ada).put(`${path}/${bob.id}`, { access_level: 30 })).body).toEqual({
      ...memberShape(url, bob, 30),
      expires_at: '2999-01-01',
    });
  });

  test('the last owner cannot be downgraded', async () => {
    const { body } = await as(ada).post('/groups', { name: 'alone', path: 'alone' });
    const { id } = body as { id: number };
    expect(await as(ada).put(`/groups/${id}/members/${ada.id}`, { access_level: 40 })).toEqual(
      refused.forbidden,
    );
  });

  test('is refused to anonymous and other users', async () => {
    const change = { access_level: 10 };
    expect(await as(null).put(`${members}/${bob.id}`, change)).toEqual(refused.anonymous);
    expect(await as(carl).put(`${members}/${bob.id}`, change)).toEqual(refused.missing('Group'));
  });

  test('responds with 404 for a user without a membership', async () => {
    expect(await as(ada).put(`${members}/${carl.id}`, { access_level: 10 })).toEqual(
      refused.record,
    );
  });

  test('rejects a missing and an unknown level', async () => {
    expect(await as(ada).put(`${members}/${bob.id}`, {})).toEqual(
      refused.parameter('access_level is missing'),
    );
    expect(await as(ada).put(`${members}/${bob.id}`, { access_level: 45 })).toEqual(
      refused.invalid({ access_level: ['is not included in the list'] }),
    );
  });
});

describe('DELETE /groups/:id/members/:user_id', () => {
  test('an owner removes a member, who loses access', async () => {
    const path = await createGroup('removing');
    expect((await as(bob).get(path)).status).toBe(200);
    expect(await as(ada).delete(`${path}/${bob.id}`)).toEqual({ status: 204, body: null });
    expect(await as(bob).get(path)).toEqual(refused.missing('Group'));
  });

  test('a member can leave', async () => {
    const path = await createGroup('leaving');
    expect(await as(bob).delete(`${path}/${bob.id}`)).toEqual({ status: 204, body: null });
  });

  test('a master cannot remove others', async () => {
    expect(await as(bob).delete(`${members}/${ada.id}`)).toEqual(refused.forbidden);
  });

  test('the last owner cannot leave, nor can two owners concurrently', async () => {
    const { body } = await as(ada).post('/groups', { name: 'last', path: 'last' });
    const path = `/groups/${(body as { id: number }).id}/members`;
    expect(await as(ada).delete(`${path}/${ada.id}`)).toEqual(refused.forbidden);
    await as(ada).post(path, { user_id: bob.id, access_level: 50 });
    const statuses = await Promise.all(
      [ada, bob].map(async (person) => (await as(person).delete(`${path}/${person.id}`)).status),
    );
    expect(statuses.toSorted()).toEqual([204, 403]);
  });

  test('is refused to anonymous and other users', async () => {
    expect(await as(null).delete(`${members}/${bob.id}`)).toEqual(refused.anonymous);
    expect(await as(carl).delete(`${members}/${bob.id}`)).toEqual(refused.missing('Group'));
  });

  test('responds with 404 for a user without a membership', async () => {
    expect(await as(ada).delete(`${members}/${carl.id}`)).toEqual(refused.record);
  });

  test('rejects an id that is not a number', async () => {
    expect(await as(ada).delete(`${members}/-`)).toEqual(refused.parameter('user_id is invalid'));
  });
});

describe('roles that manage the members of a group', async () => {
  const users = {
    'another user': await seed.user('outsider'),
    'an external user': await seed.user('external', { isExternal: true }),
    'a guest': await seed.user('guest'),
    'a reporter': await seed.user('reporter'),
    'a developer': await seed.user('developer'),
    'a master': await seed.user('master'),
    'an owner': await seed.user('owner'),
    'an owner of the parent group': await seed.user('above'),
    'an owner of a subgroup': await seed.user('below'),
    'an administrator': await seed.user('chief', { isAdmin: true }),
  } as const;
  await seed.group('works', { owner: users['an owner of the parent group'] });
  const { id } = await seed.group('works/shop', {
    guest: users['a guest'],
    reporter: users['a reporter'],
    developer: users['a developer'],
    master: users['a master'],
    owner: users['an owner'],
  });
  await seed.group('works/shop/desk', { owner: users['an owner of a subgroup'] });
  const path = `/groups/${id}/members`;

  test.each([
    ['another user', 404],
    ['an external user', 404],
    ['a guest', 403],
    ['a reporter', 403],
    ['a developer', 403],
    ['a master', 403],
    // can see the parent group only
    ['an owner of a subgroup', 403],
    ['an owner', 201],
    ['an owner of the parent group', 201],
    ['an administrator', 201],
  ] as const)('%s: %i', async (role, status) => {
    const client = as(users[role]);
    const input = { user_id: carl.id, access_level: 50 };
    expect((await client.post(path, input)).status).toBe(status);
    if (status !== 201) await as(root).post(path, input);
    const [put, removed] = status === 201 ? [200, 204] : [status, status];
    expect((await client.get(path)).status).toBe(status === 404 ? 404 : 200);
    expect((await client.put(`${path}/${carl.id}`, { access_level: 20 })).status).toBe(put);
    expect((await client.delete(`${path}/${carl.id}`)).status).toBe(removed);
    if (status !== 201) await as(root).delete(`${path}/${carl.id}`);
  });

  test('a membership includes subgroups and their projects', async () => {
    const project = await seed.project('works/shop/till');
    await as(root).post(path, { user_id: carl.id, access_level: 40 });
    expect((await as(carl).get('/groups/works%2Fshop%2Fdesk')).status).toBe(200);
    expect((await as(carl).put(`/projects/${project.id}`, { description: 'x' })).status).toBe(200);
    await as(root).put(`${path}/${carl.id}`, { access_level: 30 });
    expect(await as(carl).put(`/projects/${project.id}`, { description: 'x' })).toEqual(
      refused.forbidden,
    );
    await as(root).delete(`${path}/${carl.id}`);
    expect(await as(carl).get(`/projects/${project.id}`)).toEqual(refused.missing('Project'));
    expect(await as(carl).get('/groups/works%2Fshop%2Fdesk')).toEqual(refused.missing('Group'));
  });

  test('an expired membership gives no access and is not an owner', async () => {
    await as(root).post(path, { user_id: carl.id, access_level: 50 });
    const today = new Date(new Date().setUTCHours(0, 0, 0, 0));
    await db.member.updateMany({
      where: { namespaceId: id, userId: carl.id },
      data: { expiresAt: today },
    });
    await expect.poll(async () => (await as(carl).get(path)).status).toBe(404);
    // the expired owner does not count, so the last of the two others stays
    const owner = users['an owner'];
    expect((await as(owner).delete(`${path}/${root.id}`)).status).toBe(204);
    expect(await as(owner).delete(`${path}/${owner.id}`)).toEqual(refused.forbidden);
  });
});
