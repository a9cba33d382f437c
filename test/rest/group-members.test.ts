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

/** A group of its own for a test that changes it. */
const fresh = async (path: string) => {
  const { id } = await seed.group(path, { owner: ada, master: bob });
  return `/groups/${id}/members`;
};

describe('GET /groups/:id/members', () => {
  const all = [memberShape(url, root, 50), memberShape(url, ada, 50), memberShape(url, bob, 40)];

  test('a member sees who is a member, the oldest first', async () => {
    expect(await as(bob).get(members)).toEqual({ status: 200, body: all });
    expect(await as(bob).get('/groups/CLOSED/members')).toEqual({ status: 200, body: all });
  });

  test('who is a member above is not one below', async () => {
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
  ])('a query for %s finds by name', async (query, people) => {
    const { body } = await as(ada).get(`${members}?query=${query}`);
    expect((body as { id: number }[]).map(({ id }) => id)).toEqual(people.map(({ id }) => id));
  });

  test('it comes in pages', async () => {
    const response = await as(ada).fetch(`${members}?per_page=2&page=2`);
    expect({ total: response.headers.get('X-Total'), body: await response.json() }).toEqual({
      total: '3',
      body: all.slice(2),
    });
  });

  test('anonymous people see nobody, even of a public group', async () => {
    const { id } = await seed.group('open', {}, { visibility: 'public' });
    expect(await as(null).get(`/groups/${id}/members`)).toEqual(refused.anonymous);
    expect((await as(carl).get(`/groups/${id}/members`)).status).toBe(200);
  });

  test('to strangers there is no such group', async () => {
    expect(await as(carl).get(members)).toEqual(refused.missing('Group'));
    expect(await as(ada).get('/groups/0/members')).toEqual(refused.missing('Group'));
  });

  test('a query that is no text is refused', async () => {
    expect(await as(ada).get(`${members}?query[a]=b`)).toEqual(
      refused.parameter('query is invalid'),
    );
  });
});

describe('GET /groups/:id/members/:user_id', () => {
  test('a member sees one', async () => {
    expect(await as(bob).get(`${members}/${ada.id}`)).toEqual({
      status: 200,
      body: memberShape(url, ada, 50),
    });
  });

  test('anonymous people and strangers do not', async () => {
    expect(await as(null).get(`${members}/${ada.id}`)).toEqual(refused.anonymous);
    expect(await as(carl).get(`${members}/${ada.id}`)).toEqual(refused.missing('Group'));
  });

  test('who is no member is not found', async () => {
    expect(await as(ada).get(`${members}/${carl.id}`)).toEqual(refused.record);
    expect(await as(ada).get(`${members}/99999999999`)).toEqual(refused.record);
  });

  test('an id that is no number is refused', async () => {
    expect(await as(ada).get(`${members}/carl`)).toEqual(refused.parameter('user_id is invalid'));
  });
});

describe('POST /groups/:id/members', () => {
  test('an owner adds a member, who sees the group from then on', async () => {
    const path = await fresh('adding');
    const wanted = { user_id: carl.id, access_level: 30, expires_at: '2999-12-31' };
    expect((await as(carl).get(path)).status).toBe(404);
    expect(await as(ada).post(path, wanted)).toEqual({
      status: 201,
      body: { ...memberShape(url, carl, 30), expires_at: '2999-12-31' },
    });
    expect((await as(carl).get(path)).status).toBe(200);
  });

  test('a membership that has run out opens nothing', async () => {
    const path = await fresh('expired');
    const past = { user_id: carl.id, access_level: 50, expires_at: '2001-01-01' };
    expect((await as(ada).post(path, past)).status).toBe(201);
    expect(await as(carl).get(path)).toEqual(refused.missing('Group'));
  });

  test('a master may not', async () => {
    const path = await fresh('mastered');
    expect(await as(bob).post(path, { user_id: carl.id, access_level: 10 })).toEqual(
      refused.forbidden,
    );
  });

  test('anonymous people and strangers may not', async () => {
    const wanted = { user_id: carl.id, access_level: 10 };
    expect(await as(null).post(members, wanted)).toEqual(refused.anonymous);
    expect(await as(carl).post(members, wanted)).toEqual(refused.missing('Group'));
  });

  test('who is a member already is not added again', async () => {
    expect(await as(ada).post(members, { user_id: bob.id, access_level: 10 })).toEqual(
      refused.conflict('Member already exists'),
    );
  });

  test('there must be such a user', async () => {
    expect(await as(ada).post(members, { user_id: 999_999, access_level: 10 })).toEqual(
      refused.missing('User'),
    );
  });

  test.each([0, 15, 60, -10])('%i is no level', async (access_level) => {
    expect(await as(ada).post(members, { user_id: carl.id, access_level })).toEqual(
      refused.invalid({ access_level: ['is not included in the list'] }),
    );
  });

  test.each([
    [{}, 'access_level is missing, user_id is missing'],
    [{ user_id: 2 ** 31, access_level: 10 }, 'user_id is invalid'],
    [{ user_id: 'carl', access_level: 'master' }, 'access_level is invalid, user_id is invalid'],
    [{ user_id: 1, access_level: 10, expires_at: '2017-02-30' }, 'expires_at is invalid'],
  ])('%o is refused: %s', async (wrong, text) => {
    expect(await as(ada).post(members, wrong)).toEqual(refused.parameter(text));
  });
});

describe('PUT /groups/:id/members/:user_id', () => {
  test('an owner changes a level, which holds at once', async () => {
    const path = await fresh('promoting');
    const change = { access_level: 50 };
    expect(await as(bob).put(`${path}/${bob.id}`, change)).toEqual(refused.forbidden);
    expect(await as(ada).put(`${path}/${bob.id}`, { ...change, expires_at: '2999-01-01' })).toEqual(
      { status: 200, body: { ...memberShape(url, bob, 50), expires_at: '2999-01-01' } },
    );
    expect((await as(bob).put(`${path}/${ada.id}`, { access_level: 10 })).status).toBe(200);
    expect(await as(ada).put(`${path}/${bob.id}`, change)).toEqual(refused.forbidden);
  });

  test('a date that is not given stays', async () => {
    const path = await fresh('dated');
    await as(ada).put(`${path}/${bob.id}`, { access_level: 20, expires_at: '2999-01-01' });
    expect((await as(ada).put(`${path}/${bob.id}`, { access_level: 30 })).body).toEqual({
      ...memberShape(url, bob, 30),
      expires_at: '2999-01-01',
    });
  });

  test('the last owner stays one', async () => {
    const { body } = await as(ada).post('/groups', { name: 'alone', path: 'alone' });
    const { id } = body as { id: number };
    expect(await as(ada).put(`/groups/${id}/members/${ada.id}`, { access_level: 40 })).toEqual(
      refused.forbidden,
    );
  });

  test('anonymous people and strangers may not', async () => {
    const change = { access_level: 10 };
    expect(await as(null).put(`${members}/${bob.id}`, change)).toEqual(refused.anonymous);
    expect(await as(carl).put(`${members}/${bob.id}`, change)).toEqual(refused.missing('Group'));
  });

  test('who is no member is not found', async () => {
    expect(await as(ada).put(`${members}/${carl.id}`, { access_level: 10 })).toEqual(
      refused.record,
    );
  });

  test('a level must be given, and be one', async () => {
    expect(await as(ada).put(`${members}/${bob.id}`, {})).toEqual(
      refused.parameter('access_level is missing'),
    );
    expect(await as(ada).put(`${members}/${bob.id}`, { access_level: 45 })).toEqual(
      refused.invalid({ access_level: ['is not included in the list'] }),
    );
  });
});

describe('DELETE /groups/:id/members/:user_id', () => {
  test('an owner removes a member, who sees the group no more', async () => {
    const path = await fresh('removing');
    expect((await as(bob).get(path)).status).toBe(200);
    expect(await as(ada).delete(`${path}/${bob.id}`)).toEqual({ status: 204, body: null });
    expect(await as(bob).get(path)).toEqual(refused.missing('Group'));
  });

  test('a member may leave', async () => {
    const path = await fresh('leaving');
    expect(await as(bob).delete(`${path}/${bob.id}`)).toEqual({ status: 204, body: null });
  });

  test('a master may not remove others', async () => {
    expect(await as(bob).delete(`${members}/${ada.id}`)).toEqual(refused.forbidden);
  });

  test('the last owner may not leave, nor may one of two at once both', async () => {
    const { body } = await as(ada).post('/groups', { name: 'last', path: 'last' });
    const path = `/groups/${(body as { id: number }).id}/members`;
    expect(await as(ada).delete(`${path}/${ada.id}`)).toEqual(refused.forbidden);
    await as(ada).post(path, { user_id: bob.id, access_level: 50 });
    const statuses = await Promise.all(
      [ada, bob].map(async (person) => (await as(person).delete(`${path}/${person.id}`)).status),
    );
    expect(statuses.toSorted()).toEqual([204, 403]);
  });

  test('anonymous people and strangers may not', async () => {
    expect(await as(null).delete(`${members}/${bob.id}`)).toEqual(refused.anonymous);
    expect(await as(carl).delete(`${members}/${bob.id}`)).toEqual(refused.missing('Group'));
  });

  test('who is no member is not found', async () => {
    expect(await as(ada).delete(`${members}/${carl.id}`)).toEqual(refused.record);
  });

  test('an id that is no number is refused', async () => {
    expect(await as(ada).delete(`${members}/-`)).toEqual(refused.parameter('user_id is invalid'));
  });
});

describe('who manages the members of a group', async () => {
  const people = {
    'a stranger': await seed.user('stranger'),
    'an external': await seed.user('external', { isExternal: true }),
    'a guest': await seed.user('guest'),
    'a reporter': await seed.user('reporter'),
    'a developer': await seed.user('developer'),
    'a master': await seed.user('master'),
    'an owner': await seed.user('owner'),
    'an owner above': await seed.user('above'),
    'an owner below': await seed.user('below'),
    'an administrator': await seed.user('chief', { isAdmin: true }),
  } as const;
  await seed.group('works', { owner: people['an owner above'] });
  const { id } = await seed.group('works/shop', {
    guest: people['a guest'],
    reporter: people['a reporter'],
    developer: people['a developer'],
    master: people['a master'],
    owner: people['an owner'],
  });
  await seed.group('works/shop/desk', { owner: people['an owner below'] });
  const path = `/groups/${id}/members`;

  test.each([
    ['a stranger', 404],
    ['an external', 404],
    ['a guest', 403],
    ['a reporter', 403],
    ['a developer', 403],
    ['a master', 403],
    // sees what lies above, and no more
    ['an owner below', 403],
    ['an owner', 201],
    ['an owner above', 201],
    ['an administrator', 201],
  ] as const)('%s: %i', async (who, status) => {
    const client = as(people[who]);
    const wanted = { user_id: carl.id, access_level: 50 };
    expect((await client.post(path, wanted)).status).toBe(status);
    if (status !== 201) await as(root).post(path, wanted);
    const [put, removed] = status === 201 ? [200, 204] : [status, status];
    expect((await client.get(path)).status).toBe(status === 404 ? 404 : 200);
    expect((await client.put(`${path}/${carl.id}`, { access_level: 20 })).status).toBe(put);
    expect((await client.delete(`${path}/${carl.id}`)).status).toBe(removed);
    if (status !== 201) await as(root).delete(`${path}/${carl.id}`);
  });

  test('a member of the group is one below, with everything in it', async () => {
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

  test('a membership that runs out gives nothing, and a last owner stays with it', async () => {
    await as(root).post(path, { user_id: carl.id, access_level: 50 });
    const today = new Date(new Date().setUTCHours(0, 0, 0, 0));
    await db.member.updateMany({
      where: { namespaceId: id, userId: carl.id },
      data: { expiresAt: today },
    });
    await expect.poll(async () => (await as(carl).get(path)).status).toBe(404);
    // he is an owner no more, so of two others the last one stays
    const owner = people['an owner'];
    expect((await as(owner).delete(`${path}/${root.id}`)).status).toBe(204);
    expect(await as(owner).delete(`${path}/${owner.id}`)).toEqual(refused.forbidden);
  });
});
