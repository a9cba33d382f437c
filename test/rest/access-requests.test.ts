import { describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import type { TestUser } from '../support/seed.ts';
import { basicUserShape, instant, memberShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const users = {
  owner: await seed.user('owner'),
  master: await seed.user('master'),
  developer: await seed.user('developer'),
  reporter: await seed.user('reporter'),
  guest: await seed.user('guest'),
  requester: await seed.user('requester'),
  other: await seed.user('other'),
  external: await seed.user('external', { isExternal: true }),
};
const { requester, other } = users;

const { owner, ...roles } = users;
const members = { master: roles.master, developer: roles.developer, guest: roles.guest };
await seed.group('above', { owner, reporter: roles.reporter }, { visibility: 'public' });

let count = 0;
const open = { visibility: 'public', request_access_enabled: true };

/** Creates a separate group or project for each test, with `members`. */
const kinds = {
  groups: async (settings = {}) => {
    count += 1;
    const path = `above/g${count}`;
    const { id } = await seed.group(path, members, { ...open, ...settings });
    return { id, path, source: `/groups/${id}`, requests: `/groups/${id}/access_requests` };
  },
  projects: async (settings = {}) => {
    count += 1;
    const path = `above/p${count}`;
    const { id } = await seed.project(path, members, { ...open, ...settings });
    return { id, path, source: `/projects/${id}`, requests: `/projects/${id}/access_requests` };
  },
};

const requestShape = (person: TestUser) => ({
  ...basicUserShape(url, person),
  created_at: instant,
  requested_at: instant,
});

const approvedShape = (person: TestUser, level: number) => ({
  ...memberShape(url, person, level),
  created_at: instant,
});

const isMember = async (client: Client, source: string, { id }: TestUser) =>
  (await client.get(`${source}/members/${id}`)).status === 200;

const repeated = refused.invalid({ user_id: ['already exists in source'] });
const noContent = { status: 204, body: null };

describe.each([
  ['groups', 'Group', 'master'],
  ['projects', 'Project', 'developer'],
] as const)('access requests of %s', (kind, name, tooLow) => {
  const manager = kind === 'groups' ? owner : users.master;
  const createSource = kinds[kind];
  const missing = refused.missing(name);

  describe(`POST /${kind}/:id/access_requests`, () => {
    test('a user requests access and sees no more than before until the request is approved', async () => {
      const { path, requests, source } = await createSource();
      expect(
        await as(requester).post(`/${kind}/${encodeURIComponent(path)}/access_requests`),
      ).toEqual({
        status: 201,
        body: requestShape(requester),
      });
      expect(await as(root).put(source, { visibility: 'private' })).toMatchObject({ status: 200 });
      expect(await as(requester).get(source)).toEqual(missing);
      expect(await as(requester).post(requests)).toEqual(missing);
      expect(await as(requester).delete(`${requests}/${requester.id}`)).toEqual(missing);
    });

    test('a second request of the same user is rejected', async () => {
      const { requests } = await createSource();
      expect((await as(requester).post(requests)).status).toBe(201);
      expect(await as(requester).post(requests)).toEqual(repeated);
    });

    test('one of twenty concurrent requests of a user is stored', async () => {
      const { requests } = await createSource();
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => as(requester).post(requests)),
      );
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(responses.filter(({ status }) => status !== 201)).toEqual(Array(19).fill(repeated));
      expect((await as(manager).get(requests)).body).toEqual([requestShape(requester)]);
    });

    test('anonymous users get 401', async () => {
      const { requests } = await createSource();
      expect(await as(null).post(requests)).toEqual(refused.anonymous);
    });

    test.each([
      ['an owner of the parent group', owner],
      ['a master', users.master],
      ['a guest', users.guest],
      ['a member of the parent group', users.reporter],
      ['an administrator', root],
    ])('%s cannot request access', async (_caller, person) => {
      const { requests } = await createSource();
      expect(await as(person).post(requests)).toEqual(refused.forbidden);
    });

    test('a request is forbidden if access requests are disabled', async () => {
      const { requests } = await createSource({ request_access_enabled: false });
      expect(await as(requester).post(requests)).toEqual(refused.forbidden);
    });

    test('an internal source accepts requests of regular users, and responds with 404 to external users', async () => {
      const { requests } = await createSource({ visibility: 'internal' });
      expect(await as(users.external).post(requests)).toEqual(missing);
      expect((await as(requester).post(requests)).status).toBe(201);
    });

    test('a private source and an unknown source respond with 404', async () => {
      const { requests } = await createSource({ visibility: 'private' });
      expect(await as(requester).post(requests)).toEqual(missing);
      expect(await as(requester).post(`/${kind}/999999/access_requests`)).toEqual(missing);
    });

    test('a user with an expired membership can request access and becomes a member again', async () => {
      const { requests, source } = await createSource();
      const expired = { user_id: requester.id, access_level: 10, expires_at: '2001-01-01' };
      expect((await as(root).post(`${source}/members`, expired)).status).toBe(201);
      expect((await as(requester).post(requests)).status).toBe(201);
      expect(await as(manager).put(`${requests}/${requester.id}/approve`)).toEqual({
        status: 201,
        body: approvedShape(requester, 30),
      });
    });
  });

  describe(`GET /${kind}/:id/access_requests`, () => {
    test('members who manage members, owners and administrators list requests, the oldest first', async () => {
      const { requests } = await createSource();
      await as(other).post(requests);
      await as(requester).post(requests);
      const body = [requestShape(other), requestShape(requester)];
      expect(await as(manager).get(requests)).toEqual({ status: 200, body });
      expect(await as(owner).get(requests)).toEqual({ status: 200, body });
      expect(await as(root).get(requests)).toEqual({ status: 200, body });
      const response = await as(manager).fetch(`${requests}?per_page=1&page=2`);
      expect({ total: response.headers.get('X-Total'), body: await response.json() }).toEqual({
        total: '2',
        body: body.slice(1),
      });
    });

    test('other users, including the requester, cannot list requests', async () => {
      const { requests } = await createSource();
      await as(requester).post(requests);
      expect(await as(null).get(requests)).toEqual(refused.anonymous);
      for (const person of [requester, other, users.guest, users.reporter, users[tooLow]]) {
        expect(await as(person).get(requests)).toEqual(refused.forbidden);
      }
    });

    test('a private source responds with 404 to non-members', async () => {
      const { requests } = await createSource({ visibility: 'private' });
      expect(await as(requester).get(requests)).toEqual(missing);
    });

    test('rejects a page that is not a number', async () => {
      const { requests } = await createSource();
      expect(await as(requester).get(`${requests}?page=x`)).toEqual(
        refused.parameter('page is invalid'),
      );
    });

    test('the request of a blocked user is listed; the request of a deleted user is deleted', async () => {
      const { requests } = await createSource();
      const brief = await seed.user(`brief-${kind}`);
      expect((await as(brief).post(requests)).status).toBe(201);
      expect((await as(root).post(`/users/${brief.id}/block`)).status).toBe(201);
      expect((await as(manager).get(requests)).body).toEqual([
        { ...requestShape(brief), state: 'blocked' },
      ]);
      expect((await as(root).delete(`/users/${brief.id}`)).status).toBe(204);
      expect(await as(manager).get(requests)).toEqual({ status: 200, body: [] });
      expect(await db.accessRequest.count({ where: { userId: brief.id } })).toBe(0);
    });
  });

  describe(`PUT /${kind}/:id/access_requests/:user_id/approve`, () => {
    test('the requester becomes a developer immediately, and the request is deleted', async () => {
      const { requests, source } = await createSource();
      await as(requester).post(requests);
      expect(await as(requester).get(requests)).toEqual(refused.forbidden);
      expect(await as(manager).put(`${requests}/${requester.id}/approve`)).toEqual({
        status: 201,
        body: approvedShape(requester, 30),
      });
      expect((await as(manager).get(requests)).body).toEqual([]);
      await as(root).put(source, { visibility: 'private' });
      expect((await as(requester).get(source)).status).toBe(200);
      expect(await as(requester).post(requests)).toEqual(refused.forbidden);
      expect(await as(manager).put(`${requests}/${requester.id}/approve`)).toEqual(refused.record);
    });

    test.each([10, 20, 30, 40])('the level %i can be granted', async (access_level) => {
      const { requests } = await createSource();
      await as(requester).post(requests);
      expect(
        await as(manager).put(`${requests}/${requester.id}/approve`, { access_level }),
      ).toEqual({
        status: 201,
        body: approvedShape(requester, access_level),
      });
    });

    test('the level 50 can be granted in groups only', async () => {
      const { requests } = await createSource();
      await as(requester).post(requests);
      const input = { access_level: 50 };
      expect(await as(owner).put(`${requests}/${requester.id}/approve`, input)).toEqual(
        kind === 'groups'
          ? { status: 201, body: approvedShape(requester, 50) }
          : refused.invalid({ access_level: ['is not included in the list'] }),
      );
    });

    test('rejects an unknown level and keeps the request', async () => {
      const { requests } = await createSource();
      await as(requester).post(requests);
      const path = `${requests}/${requester.id}/approve`;
      for (const access_level of [0, 25, 60, -10]) {
        expect(await as(manager).put(path, { access_level })).toEqual(
          refused.invalid({ access_level: ['is not included in the list'] }),
        );
      }
      expect(await as(manager).put(path, { access_level: 'high' })).toEqual(
        refused.parameter('access_level is invalid'),
      );
      expect(await as(manager).put(`${requests}/me/approve`)).toEqual(
        refused.parameter('user_id is invalid'),
      );
      expect((await as(manager).get(requests)).body).toEqual([requestShape(requester)]);
    });

    test('a user without a request gives 404', async () => {
      const { requests } = await createSource();
      for (const id of [other.id, users.guest.id, 999_999, 0]) {
        expect(await as(manager).put(`${requests}/${id}/approve`)).toEqual(refused.record);
      }
    });

    test('requesters and other users cannot approve', async () => {
      const { requests, source } = await createSource();
      await as(requester).post(requests);
      const path = `${requests}/${requester.id}/approve`;
      expect(await as(null).put(path)).toEqual(refused.anonymous);
      for (const person of [requester, other, users.guest, users.reporter, users[tooLow]]) {
        expect(await as(person).put(path)).toEqual(refused.forbidden);
      }
      await as(root).put(source, { visibility: 'private' });
      expect(await as(other).put(path)).toEqual(missing);
      expect((await as(root).put(path)).status).toBe(201);
    });

    test('one of two concurrent approvals succeeds', async () => {
      const { requests, source } = await createSource();
      await as(requester).post(requests);
      const path = `${requests}/${requester.id}/approve`;
      const responses = await Promise.all([as(manager).put(path), as(root).put(path)]);
      expect(responses).toContainEqual({ status: 201, body: approvedShape(requester, 30) });
      expect(responses).toContainEqual(refused.record);
      expect(await isMember(as(root), source, requester)).toBe(true);
    });
  });

  describe(`DELETE /${kind}/:id/access_requests/:user_id`, () => {
    test('a member who manages members denies a request, which can be repeated', async () => {
      const { requests, source } = await createSource();
      await as(requester).post(requests);
      expect(await as(manager).delete(`${requests}/${requester.id}`)).toEqual(noContent);
      expect(await as(manager).delete(`${requests}/${requester.id}`)).toEqual(refused.record);
      expect(await isMember(as(root), source, requester)).toBe(false);
      expect((await as(requester).post(requests)).status).toBe(201);
      expect(await as(root).delete(`${requests}/${requester.id}`)).toEqual(noContent);
    });

    test('the requester withdraws the request', async () => {
      const { requests } = await createSource();
      await as(requester).post(requests);
      expect(await as(requester).delete(`${requests}/${requester.id}`)).toEqual(noContent);
      expect(await as(requester).delete(`${requests}/${requester.id}`)).toEqual(refused.record);
    });

    test('other users cannot deny a request', async () => {
      const { requests, source } = await createSource();
      await as(requester).post(requests);
      const path = `${requests}/${requester.id}`;
      expect(await as(null).delete(path)).toEqual(refused.anonymous);
      for (const person of [other, users.guest, users.reporter, users[tooLow]]) {
        expect(await as(person).delete(path)).toEqual(refused.forbidden);
      }
      await as(root).put(source, { visibility: 'private' });
      expect(await as(other).delete(path)).toEqual(missing);
    });

    test('a member without a request gives 404 and stays a member', async () => {
      const { requests, source } = await createSource();
      expect(await as(manager).delete(`${requests}/${users.guest.id}`)).toEqual(refused.record);
      expect(await as(users.guest).delete(`${requests}/${users.guest.id}`)).toEqual(refused.record);
      expect(await isMember(as(root), source, users.guest)).toBe(true);
      expect(await as(manager).delete(`${requests}/me`)).toEqual(
        refused.parameter('user_id is invalid'),
      );
    });
  });

  test('adding the requester as a member deletes the request', async () => {
    const { requests, source } = await createSource();
    await as(requester).post(requests);
    await as(other).post(requests);
    const input = { user_id: requester.id, access_level: 10 };
    expect((await as(manager).post(`${source}/members`, input)).status).toBe(201);
    expect((await as(manager).get(requests)).body).toEqual([requestShape(other)]);
  });

  test('a concurrent request and addition leave a member without a request', async () => {
    const { requests, source } = await createSource();
    const input = { user_id: requester.id, access_level: 10 };
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        as(requester).post(requests),
        as(manager).post(`${source}/members`, input),
        as(requester).post(requests),
      ]);
      expect(await isMember(as(root), source, requester)).toBe(true);
      expect((await as(manager).get(requests)).body).toEqual([]);
      await as(root).delete(`${source}/members/${requester.id}`);
    }
  });
});

test('access to a private group that is visible through one of its projects cannot be requested', async () => {
  const { id } = await seed.group('hidden', {}, { visibility: 'private' });
  expect((await as(root).put(`/groups/${id}`, { request_access_enabled: true })).status).toBe(200);
  await seed.project('hidden/app', { guest: requester });
  expect((await as(requester).get(`/groups/${id}`)).status).toBe(200);
  expect(await as(requester).post(`/groups/${id}/access_requests`)).toEqual(refused.forbidden);
});

test('the owner of a personal project approves requests and cannot request access', async () => {
  const { id } = await seed.project('other/own', {}, open);
  const requests = `/projects/${id}/access_requests`;
  expect(await as(other).post(requests)).toEqual(refused.forbidden);
  expect((await as(requester).post(requests)).status).toBe(201);
  expect((await as(other).put(`${requests}/${requester.id}/approve`)).status).toBe(201);
});

test('a removed project accepts no requests', async () => {
  const { requests, source } = await kinds.projects();
  await as(requester).post(requests);
  expect((await as(owner).delete(source)).status).toBe(202);
  expect(await as(requester).post(requests)).toEqual(refused.missing('Project'));
  expect(await as(owner).get(requests)).toEqual(refused.missing('Project'));
});
