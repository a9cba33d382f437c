import { describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import type { TestUser } from '../support/seed.ts';
import { basicUserShape, instant, memberShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const people = {
  owner: await seed.user('owner'),
  master: await seed.user('master'),
  developer: await seed.user('developer'),
  reporter: await seed.user('reporter'),
  guest: await seed.user('guest'),
  asker: await seed.user('asker'),
  other: await seed.user('other'),
  external: await seed.user('external', { isExternal: true }),
};
const { asker, other } = people;

const { owner, ...roles } = people;
const members = { master: roles.master, developer: roles.developer, guest: roles.guest };
await seed.group('above', { owner, reporter: roles.reporter }, { visibility: 'public' });

let count = 0;
const open = { visibility: 'public', request_access_enabled: true };

/** A group or project of its own for a test, with all those people in it. */
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
const gone = { status: 204, body: null };

describe.each([
  ['groups', 'Group', 'master'],
  ['projects', 'Project', 'developer'],
] as const)('access requests of %s', (kind, name, tooLow) => {
  const manager = kind === 'groups' ? owner : people.master;
  const fresh = kinds[kind];
  const missing = refused.missing(name);

  describe(`POST /${kind}/:id/access_requests`, () => {
    test('somebody asks, and sees no more than before until they are answered', async () => {
      const { path, requests, source } = await fresh();
      expect(await as(asker).post(`/${kind}/${encodeURIComponent(path)}/access_requests`)).toEqual({
        status: 201,
        body: requestShape(asker),
      });
      expect(await as(root).put(source, { visibility: 'private' })).toMatchObject({ status: 200 });
      expect(await as(asker).get(source)).toEqual(missing);
      expect(await as(asker).post(requests)).toEqual(missing);
      expect(await as(asker).delete(`${requests}/${asker.id}`)).toEqual(missing);
    });

    test('nobody asks twice', async () => {
      const { requests } = await fresh();
      expect((await as(asker).post(requests)).status).toBe(201);
      expect(await as(asker).post(requests)).toEqual(repeated);
    });

    test('of twenty requests at once one is made', async () => {
      const { requests } = await fresh();
      const answers = await Promise.all(Array.from({ length: 20 }, () => as(asker).post(requests)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(19).fill(repeated));
      expect((await as(manager).get(requests)).body).toEqual([requestShape(asker)]);
    });

    test('anonymous people do not ask', async () => {
      const { requests } = await fresh();
      expect(await as(null).post(requests)).toEqual(refused.anonymous);
    });

    test.each([
      ['an owner of the group above', owner],
      ['a master', people.master],
      ['a guest', people.guest],
      ['a member of the group above', people.reporter],
      ['an administrator', root],
    ])('%s has nothing to ask for', async (_who, person) => {
      const { requests } = await fresh();
      expect(await as(person).post(requests)).toEqual(refused.forbidden);
    });

    test('where requests are not wanted nobody asks', async () => {
      const { requests } = await fresh({ request_access_enabled: false });
      expect(await as(asker).post(requests)).toEqual(refused.forbidden);
    });

    test('what is internal externals do not see, and others ask for', async () => {
      const { requests } = await fresh({ visibility: 'internal' });
      expect(await as(people.external).post(requests)).toEqual(missing);
      expect((await as(asker).post(requests)).status).toBe(201);
    });

    test('to strangers there is nothing private to ask for', async () => {
      const { requests } = await fresh({ visibility: 'private' });
      expect(await as(asker).post(requests)).toEqual(missing);
      expect(await as(asker).post(`/${kind}/999999/access_requests`)).toEqual(missing);
    });

    test('whose membership has run out asks again, and is a member anew', async () => {
      const { requests, source } = await fresh();
      const past = { user_id: asker.id, access_level: 10, expires_at: '2001-01-01' };
      expect((await as(root).post(`${source}/members`, past)).status).toBe(201);
      expect((await as(asker).post(requests)).status).toBe(201);
      expect(await as(manager).put(`${requests}/${asker.id}/approve`)).toEqual({
        status: 201,
        body: approvedShape(asker, 30),
      });
    });
  });

  describe(`GET /${kind}/:id/access_requests`, () => {
    test('who manages the members sees who asks, the oldest request first', async () => {
      const { requests } = await fresh();
      await as(other).post(requests);
      await as(asker).post(requests);
      const body = [requestShape(other), requestShape(asker)];
      expect(await as(manager).get(requests)).toEqual({ status: 200, body });
      expect(await as(owner).get(requests)).toEqual({ status: 200, body });
      expect(await as(root).get(requests)).toEqual({ status: 200, body });
      const response = await as(manager).fetch(`${requests}?per_page=1&page=2`);
      expect({ total: response.headers.get('X-Total'), body: await response.json() }).toEqual({
        total: '2',
        body: body.slice(1),
      });
    });

    test('nobody else does, not even who asked', async () => {
      const { requests } = await fresh();
      await as(asker).post(requests);
      expect(await as(null).get(requests)).toEqual(refused.anonymous);
      for (const person of [asker, other, people.guest, people.reporter, people[tooLow]]) {
        expect(await as(person).get(requests)).toEqual(refused.forbidden);
      }
    });

    test('to strangers there is no such thing', async () => {
      const { requests } = await fresh({ visibility: 'private' });
      expect(await as(asker).get(requests)).toEqual(missing);
    });

    test('a page that is no number is refused', async () => {
      const { requests } = await fresh();
      expect(await as(asker).get(`${requests}?page=x`)).toEqual(
        refused.parameter('page is invalid'),
      );
    });

    test('who is blocked still asks; who is removed does not', async () => {
      const { requests } = await fresh();
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
    test('who asked is a developer at once, and asks no more', async () => {
      const { requests, source } = await fresh();
      await as(asker).post(requests);
      expect(await as(asker).get(requests)).toEqual(refused.forbidden);
      expect(await as(manager).put(`${requests}/${asker.id}/approve`)).toEqual({
        status: 201,
        body: approvedShape(asker, 30),
      });
      expect((await as(manager).get(requests)).body).toEqual([]);
      await as(root).put(source, { visibility: 'private' });
      expect((await as(asker).get(source)).status).toBe(200);
      expect(await as(asker).post(requests)).toEqual(refused.forbidden);
      expect(await as(manager).put(`${requests}/${asker.id}/approve`)).toEqual(refused.record);
    });

    test.each([10, 20, 30, 40])('level %i is given', async (access_level) => {
      const { requests } = await fresh();
      await as(asker).post(requests);
      expect(await as(manager).put(`${requests}/${asker.id}/approve`, { access_level })).toEqual({
        status: 201,
        body: approvedShape(asker, access_level),
      });
    });

    test('level 50 is one of groups only', async () => {
      const { requests } = await fresh();
      await as(asker).post(requests);
      const wanted = { access_level: 50 };
      expect(await as(owner).put(`${requests}/${asker.id}/approve`, wanted)).toEqual(
        kind === 'groups'
          ? { status: 201, body: approvedShape(asker, 50) }
          : refused.invalid({ access_level: ['is not included in the list'] }),
      );
    });

    test('what is no level is refused, and who asked goes on asking', async () => {
      const { requests } = await fresh();
      await as(asker).post(requests);
      const one = `${requests}/${asker.id}/approve`;
      for (const access_level of [0, 25, 60, -10]) {
        expect(await as(manager).put(one, { access_level })).toEqual(
          refused.invalid({ access_level: ['is not included in the list'] }),
        );
      }
      expect(await as(manager).put(one, { access_level: 'high' })).toEqual(
        refused.parameter('access_level is invalid'),
      );
      expect(await as(manager).put(`${requests}/me/approve`)).toEqual(
        refused.parameter('user_id is invalid'),
      );
      expect((await as(manager).get(requests)).body).toEqual([requestShape(asker)]);
    });

    test('who did not ask is not found, whoever they are', async () => {
      const { requests } = await fresh();
      for (const id of [other.id, people.guest.id, 999_999, 0]) {
        expect(await as(manager).put(`${requests}/${id}/approve`)).toEqual(refused.record);
      }
    });

    test('nobody else approves, and nobody themselves', async () => {
      const { requests, source } = await fresh();
      await as(asker).post(requests);
      const one = `${requests}/${asker.id}/approve`;
      expect(await as(null).put(one)).toEqual(refused.anonymous);
      for (const person of [asker, other, people.guest, people.reporter, people[tooLow]]) {
        expect(await as(person).put(one)).toEqual(refused.forbidden);
      }
      await as(root).put(source, { visibility: 'private' });
      expect(await as(other).put(one)).toEqual(missing);
      expect((await as(root).put(one)).status).toBe(201);
    });

    test('of two approvals at once one makes a member', async () => {
      const { requests, source } = await fresh();
      await as(asker).post(requests);
      const one = `${requests}/${asker.id}/approve`;
      const answers = await Promise.all([as(manager).put(one), as(root).put(one)]);
      expect(answers).toContainEqual({ status: 201, body: approvedShape(asker, 30) });
      expect(answers).toContainEqual(refused.record);
      expect(await isMember(as(root), source, asker)).toBe(true);
    });
  });

  describe(`DELETE /${kind}/:id/access_requests/:user_id`, () => {
    test('who manages the members denies, and it may be asked again', async () => {
      const { requests, source } = await fresh();
      await as(asker).post(requests);
      expect(await as(manager).delete(`${requests}/${asker.id}`)).toEqual(gone);
      expect(await as(manager).delete(`${requests}/${asker.id}`)).toEqual(refused.record);
      expect(await isMember(as(root), source, asker)).toBe(false);
      expect((await as(asker).post(requests)).status).toBe(201);
      expect(await as(root).delete(`${requests}/${asker.id}`)).toEqual(gone);
    });

    test('who asked takes it back', async () => {
      const { requests } = await fresh();
      await as(asker).post(requests);
      expect(await as(asker).delete(`${requests}/${asker.id}`)).toEqual(gone);
      expect(await as(asker).delete(`${requests}/${asker.id}`)).toEqual(refused.record);
    });

    test('nobody else denies', async () => {
      const { requests, source } = await fresh();
      await as(asker).post(requests);
      const one = `${requests}/${asker.id}`;
      expect(await as(null).delete(one)).toEqual(refused.anonymous);
      for (const person of [other, people.guest, people.reporter, people[tooLow]]) {
        expect(await as(person).delete(one)).toEqual(refused.forbidden);
      }
      await as(root).put(source, { visibility: 'private' });
      expect(await as(other).delete(one)).toEqual(missing);
    });

    test('a member is not found, and stays one', async () => {
      const { requests, source } = await fresh();
      expect(await as(manager).delete(`${requests}/${people.guest.id}`)).toEqual(refused.record);
      expect(await as(people.guest).delete(`${requests}/${people.guest.id}`)).toEqual(
        refused.record,
      );
      expect(await isMember(as(root), source, people.guest)).toBe(true);
      expect(await as(manager).delete(`${requests}/me`)).toEqual(
        refused.parameter('user_id is invalid'),
      );
    });
  });

  test('who is added by another way asks no more', async () => {
    const { requests, source } = await fresh();
    await as(asker).post(requests);
    await as(other).post(requests);
    const wanted = { user_id: asker.id, access_level: 10 };
    expect((await as(manager).post(`${source}/members`, wanted)).status).toBe(201);
    expect((await as(manager).get(requests)).body).toEqual([requestShape(other)]);
  });

  test('nobody is both a member and somebody who asks, however both meet', async () => {
    const { requests, source } = await fresh();
    const wanted = { user_id: asker.id, access_level: 10 };
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        as(asker).post(requests),
        as(manager).post(`${source}/members`, wanted),
        as(asker).post(requests),
      ]);
      expect(await isMember(as(root), source, asker)).toBe(true);
      expect((await as(manager).get(requests)).body).toEqual([]);
      await as(root).delete(`${source}/members/${asker.id}`);
    }
  });
});

test('a private group seen because of a project within cannot be asked for', async () => {
  const { id } = await seed.group('hidden', {}, { visibility: 'private' });
  expect((await as(root).put(`/groups/${id}`, { request_access_enabled: true })).status).toBe(200);
  await seed.project('hidden/app', { guest: asker });
  expect((await as(asker).get(`/groups/${id}`)).status).toBe(200);
  expect(await as(asker).post(`/groups/${id}/access_requests`)).toEqual(refused.forbidden);
});

test('the owner of a personal project answers, and has nothing to ask for', async () => {
  const { id } = await seed.project('other/own', {}, open);
  const requests = `/projects/${id}/access_requests`;
  expect(await as(other).post(requests)).toEqual(refused.forbidden);
  expect((await as(asker).post(requests)).status).toBe(201);
  expect((await as(other).put(`${requests}/${asker.id}/approve`)).status).toBe(201);
});

test('what is removed cannot be asked for', async () => {
  const { requests, source } = await kinds.projects();
  await as(asker).post(requests);
  expect((await as(owner).delete(source)).status).toBe(202);
  expect(await as(asker).post(requests)).toEqual(refused.missing('Project'));
  expect(await as(owner).get(requests)).toEqual(refused.missing('Project'));
});
