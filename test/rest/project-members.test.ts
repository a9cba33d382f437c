import { describe, expect, test } from 'vitest';
import { memberShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const dora = await seed.user('dora');

await seed.group('acme', { reporter: dora });
const { id: app } = await seed.project('acme/app', { master: ada, developer: bob });
const members = `/projects/${app}/members`;

/** A separate project for a test that changes its members. */
const createProject = async (path: string) => {
  const { id } = await seed.project(`acme/${path}`, { master: ada, developer: bob });
  return `/projects/${id}/members`;
};

describe('GET /projects/:id/members', () => {
  const all = [memberShape(url, ada, 40), memberShape(url, bob, 30)];

  test('lists direct members to a member, without members of the group', async () => {
    expect(await as(bob).get(members)).toEqual({ status: 200, body: all });
    expect(await as(dora).get('/projects/ACME%2Fapp/members')).toEqual({ status: 200, body: all });
  });

  test('the owner of a personal project is a master', async () => {
    const { id } = await seed.project('ada/own');
    expect(await as(ada).get(`/projects/${id}/members`)).toEqual({
      status: 200,
      body: [memberShape(url, ada, 40)],
    });
  });

  test('filters by name and is paginated', async () => {
    expect((await as(bob).get(`${members}?query=AD`)).body).toEqual([memberShape(url, ada, 40)]);
    expect((await as(bob).get(`${members}?per_page=1&page=2`)).body).toEqual(all.slice(1));
  });

  test('is refused to an anonymous user, even for a public project', async () => {
    const { id } = await seed.project('ada/open', {}, { visibility: 'public' });
    expect(await as(null).get(`/projects/${id}/members`)).toEqual(refused.anonymous);
    expect((await as(carl).get(`/projects/${id}/members`)).status).toBe(200);
  });

  test('responds with 404 to another user', async () => {
    expect(await as(carl).get(members)).toEqual(refused.missing('Project'));
  });

  test('rejects a page that is not a number', async () => {
    expect(await as(bob).get(`${members}?page=x`)).toEqual(refused.parameter('page is invalid'));
  });
});

describe('GET /projects/:id/members/:user_id', () => {
  test('a member sees another member', async () => {
    expect(await as(dora).get(`${members}/${bob.id}`)).toEqual({
      status: 200,
      body: memberShape(url, bob, 30),
    });
  });

  test('is refused to anonymous and other users', async () => {
    expect(await as(null).get(`${members}/${bob.id}`)).toEqual(refused.anonymous);
    expect(await as(carl).get(`${members}/${bob.id}`)).toEqual(refused.missing('Project'));
  });

  test('a member of the group only is not found', async () => {
    expect(await as(ada).get(`${members}/${dora.id}`)).toEqual(refused.record);
  });

  test('rejects an id that is not a number', async () => {
    expect(await as(ada).get(`${members}/bob`)).toEqual(refused.parameter('user_id is invalid'));
  });
});

describe('POST /projects/:id/members', () => {
  test('a master adds a member, who can then see the project', async () => {
    const path = await createProject('adding');
    const input = { user_id: carl.id, access_level: 10, expires_at: '2999-12-31' };
    expect(await as(carl).get(path)).toEqual(refused.missing('Project'));
    expect(await as(ada).post(path, input)).toEqual({
      status: 201,
      body: { ...memberShape(url, carl, 10), expires_at: '2999-12-31' },
    });
    expect((await as(carl).get(path)).status).toBe(200);
  });

  test('an expired membership gives no access', async () => {
    const path = await createProject('expired');
    const expired = { user_id: carl.id, access_level: 40, expires_at: '2001-01-01' };
    expect((await as(ada).post(path, expired)).status).toBe(201);
    expect(await as(carl).get(path)).toEqual(refused.missing('Project'));
  });

  test('is forbidden for a developer', async () => {
    expect(await as(bob).post(members, { user_id: carl.id, access_level: 10 })).toEqual(
      refused.forbidden,
    );
  });

  test('is refused to anonymous and other users', async () => {
    const input = { user_id: carl.id, access_level: 10 };
    expect(await as(null).post(members, input)).toEqual(refused.anonymous);
    expect(await as(carl).post(members, input)).toEqual(refused.missing('Project'));
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

  test.each([50, 35, 0])('rejects the level %i', async (access_level) => {
    expect(await as(ada).post(members, { user_id: carl.id, access_level })).toEqual(
      refused.invalid({ access_level: ['is not included in the list'] }),
    );
  });

  test('user and level are required', async () => {
    expect(await as(ada).post(members, {})).toEqual(
      refused.parameter('access_level is missing, user_id is missing'),
    );
  });
});

describe('PUT /projects/:id/members/:user_id', () => {
  test('a master changes a level with immediate effect', async () => {
    const path = await createProject('promoting');
    expect(await as(bob).put(`${path}/${bob.id}`, { access_level: 40 })).toEqual(refused.forbidden);
    expect(await as(ada).put(`${path}/${bob.id}`, { access_level: 40 })).toEqual({
      status: 200,
      body: memberShape(url, bob, 40),
    });
    expect((await as(bob).put(`${path}/${ada.id}`, { access_level: 10 })).status).toBe(200);
  });

  test('is refused to anonymous and other users', async () => {
    const change = { access_level: 10 };
    expect(await as(null).put(`${members}/${bob.id}`, change)).toEqual(refused.anonymous);
    expect(await as(carl).put(`${members}/${bob.id}`, change)).toEqual(refused.missing('Project'));
  });

  test('responds with 404 for a user without a membership', async () => {
    expect(await as(ada).put(`${members}/${dora.id}`, { access_level: 10 })).toEqual(
      refused.record,
    );
  });

  test('rejects a missing and an unknown level', async () => {
    expect(await as(ada).put(`${members}/${bob.id}`, {})).toEqual(
      refused.parameter('access_level is missing'),
    );
    expect(await as(ada).put(`${members}/${bob.id}`, { access_level: 50 })).toEqual(
      refused.invalid({ access_level: ['is not included in the list'] }),
    );
  });
});

describe('DELETE /projects/:id/members/:user_id', () => {
  test('a master removes a member, who loses access', async () => {
    const path = await createProject('removing');
    expect(await as(ada).delete(`${path}/${bob.id}`)).toEqual({ status: 204, body: null });
    expect(await as(bob).get(path)).toEqual(refused.missing('Project'));
  });

  test('a member can leave, but not remove others', async () => {
    const path = await createProject('leaving');
    expect(await as(bob).delete(`${path}/${ada.id}`)).toEqual(refused.forbidden);
    expect(await as(bob).delete(`${path}/${bob.id}`)).toEqual({ status: 204, body: null });
  });

  test('the owner of a personal project cannot be removed', async () => {
    const { id } = await seed.project('ada/kept', { master: bob });
    const owner = `/projects/${id}/members/${ada.id}`;
    expect(await as(ada).delete(owner)).toEqual(refused.forbidden);
    expect(await as(bob).delete(owner)).toEqual(refused.forbidden);
  });

  test('is refused to anonymous and other users', async () => {
    expect(await as(null).delete(`${members}/${bob.id}`)).toEqual(refused.anonymous);
    expect(await as(carl).delete(`${members}/${bob.id}`)).toEqual(refused.missing('Project'));
  });

  test('responds with 404 for a user without a membership', async () => {
    expect(await as(ada).delete(`${members}/${carl.id}`)).toEqual(refused.record);
  });

  test('rejects an id that is not a number', async () => {
    expect(await as(ada).delete(`${members}/me`)).toEqual(refused.parameter('user_id is invalid'));
  });
});

describe('roles that manage the members of a project', async () => {
  const users = {
    'another user': await seed.user('outsider'),
    'an external user': await seed.user('external', { isExternal: true }),
    'a guest': await seed.user('guest'),
    'a reporter': await seed.user('reporter'),
    'a developer': await seed.user('developer'),
    'a master': await seed.user('master'),
    'a master of the group': await seed.user('inherited'),
    'an owner of the group': await seed.user('owner'),
    'a master by a share': await seed.user('sharing'),
    'a developer by a share': await seed.user('lending'),
    'an administrator': await seed.user('chief', { isAdmin: true }),
  } as const;
  await seed.group('works', {
    master: users['a master of the group'],
    owner: users['an owner of the group'],
  });
  const sharedGroup = await seed.group('shared', {
    master: users['a master by a share'],
    developer: users['a developer by a share'],
  });
  const { id } = await seed.project('works/app', {
    guest: users['a guest'],
    reporter: users['a reporter'],
    developer: users['a developer'],
    master: users['a master'],
  });
  await as(root).post(`/projects/${id}/share`, { group_id: sharedGroup.id, group_access: 40 });
  const path = `/projects/${id}/members`;

  test.each([
    ['another user', 404],
    ['an external user', 404],
    ['a guest', 403],
    ['a reporter', 403],
    ['a developer', 403],
    ['a developer by a share', 403],
    ['a master', 201],
    ['a master of the group', 201],
    ['an owner of the group', 201],
    ['a master by a share', 201],
    ['an administrator', 201],
  ] as const)('%s: %i', async (role, status) => {
    const client = as(users[role]);
    const input = { user_id: carl.id, access_level: 10 };
    expect((await client.post(path, input)).status).toBe(status);
    if (status !== 201) await as(root).post(path, input);
    const [put, removed] = status === 201 ? [200, 204] : [status, status];
    expect((await client.get(path)).status).toBe(status === 404 ? 404 : 200);
    expect((await client.put(`${path}/${carl.id}`, { access_level: 20 })).status).toBe(put);
    expect((await client.delete(`${path}/${carl.id}`)).status).toBe(removed);
    if (status !== 201) await as(root).delete(`${path}/${carl.id}`);
  });

  test('a member who leaves loses access immediately and can be added with another level', async () => {
    await as(root).post(path, { user_id: carl.id, access_level: 40, expires_at: '2999-01-01' });
    expect((await as(carl).put(`/projects/${id}`, { description: 'x' })).status).toBe(200);
    expect(await as(carl).delete(`${path}/${carl.id}`)).toEqual({ status: 204, body: null });
    expect(await as(carl).get(path)).toEqual(refused.missing('Project'));
    expect(await as(root).post(path, { user_id: carl.id, access_level: 10 })).toEqual({
      status: 201,
      body: memberShape(url, carl, 10),
    });
    expect(await as(carl).put(`/projects/${id}`, { description: 'x' })).toEqual(refused.forbidden);
  });

  test('an expiring membership ends access at any level', async () => {
    await as(root).put(`${path}/${carl.id}`, { access_level: 40 });
    const today = new Date(new Date().setUTCHours(0, 0, 0, 0));
    const where = { projectId: id, userId: carl.id };
    await db.member.updateMany({ where, data: { expiresAt: today } });
    await expect.poll(async () => (await as(carl).get(path)).status).toBe(404);
    await db.member.updateMany({
      where,
      data: { expiresAt: new Date(today.getTime() + 86_400_000) },
    });
    await expect.poll(async () => (await as(carl).get(path)).status).toBe(200);
  });

  test('one of several concurrent requests adds a member', async () => {
    const input = { user_id: dora.id, access_level: 10 };
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => as(users['a master']).post(path, input)),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 201)).toEqual(
      Array(7).fill(refused.conflict('Member already exists')),
    );
  });
});
