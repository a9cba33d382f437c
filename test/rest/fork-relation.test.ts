import { describe, expect, test, vi } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { basicProjectShape, masterFields, projectShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, url } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const acme = await seed.group('acme', { owner: ada }, { visibility: 'public' });

const missing = refused.missing('Project');
const publicVisibility = { visibility: 'public' };

interface Project {
  readonly id: number;
}

const idsOf = (body: unknown) => (body as Project[]).map(({ id }) => id);
const forksCount = async (id: number) =>
  (await db.project.findUniqueOrThrow({ where: { id } })).forksCount;
const forkFinished = (id: number) =>
  vi.waitFor(
    async () =>
      expect(await db.project.findUnique({ where: { id } })).toMatchObject({
        importStatus: 'finished',
      }),
    { timeout: 20_000 },
  );

/** Forks a project and waits for the copy. */
async function createFork(person: TestUser, project: number, input: object = {}) {
  const { status, body } = await as(person).post(`/projects/${project}/fork`, { ...input });
  expect(status).toBe(201);
  await forkFinished((body as Project).id);
  return body as Project;
}

const setSource = (id: number, fullPath: string, forks_count: number) => ({
  ...basicProjectShape(url, { id, fullPath, creatorId: root.id, namespaceId: acme.id }),
  forks_count,
});

describe('GET /projects/:id/forks', async () => {
  const { id } = await seed.project('acme/app', {}, publicVisibility);
  const first = await createFork(bob, id);
  const second = await createFork(carl, id);
  await as(carl).put(`/projects/${second.id}`, { visibility: 'private' });
  const third = await createFork(ada, id, { path: 'third', name: 'third' });
  await as(ada).put(`/projects/${third.id}`, { description: 'needle' });
  const path = `/projects/${id}/forks`;
  const personal = async (username: string) =>
    (await db.route.findUniqueOrThrow({ where: { key: username } })).namespaceId as number;

  test('lists forks newest first, in the form of GET /projects with their source', async () => {
    const shown = {
      ...projectShape(
        url,
        {
          id: third.id,
          fullPath: 'ada/third',
          visibility: 'public',
          creatorId: ada.id,
          namespaceId: await personal('ada'),
          owner: ada,
        },
        [40, null],
      ),
      import_error: null,
      description: 'needle',
      import_status: 'finished',
      forked_from_project: setSource(id, 'acme/app', 3),
    };
    const { status, body } = await as(ada).get(path);
    expect({ status, body }).toEqual({
      status: 200,
      body: [shown, expect.objectContaining({ id: first.id })],
    });
    const basic = { id: first.id, fullPath: 'bob/app', creatorId: bob.id, namespaceId: 0 };
    expect(await as(null).get(`${path}?sort=asc`)).toEqual({
      status: 200,
      body: [basicProjectShape(url, basic), expect.objectContaining({ id: third.id })],
    });
  });

  test('lists and counts the forks visible to the caller', async () => {
    const all = [
      [null, [third.id, first.id]],
      [bob, [third.id, first.id]],
      [carl, [third.id, second.id, first.id]],
      [root, [third.id, second.id, first.id]],
    ] as const;
    for (const [person, ids] of all) {
      const response = await as(person).fetch(path);
      expect(idsOf(await response.json())).toEqual(ids);
      expect(response.headers.get('X-Total')).toBe(String(ids.length));
    }
    const response = await as(carl).fetch(`${path}?per_page=1&page=2`);
    expect(idsOf(await response.json())).toEqual([second.id]);
    expect(response.headers.get('X-Total-Pages')).toBe('3');
    expect(response.headers.get('X-Next-Page')).toBe('3');
  });

  test('has the filters and orders of GET /projects', async () => {
    const queries = [
      ['search=needle', [third.id]],
      ['visibility=private', [second.id]],
      ['owned=true', [second.id]],
      ['membership=true', [second.id]],
      ['archived=true', []],
      ['starred=true', []],
      ['order_by=id&sort=asc', [first.id, second.id, third.id]],
    ] as const;
    for (const [query, ids] of queries) {
      expect([query, idsOf((await as(carl).get(`${path}?${query}`)).body)]).toEqual([query, ids]);
    }
    expect((await as(carl).get(`${path}?simple=true&search=needle`)).body).toEqual([
      {
        ...basicProjectShape(url, {
          id: third.id,
          fullPath: 'ada/third',
          creatorId: ada.id,
          namespaceId: 0,
        }),
        description: 'needle',
      },
    ]);
    expect(await as(carl).get(`${path}?order_by=colour`)).toEqual(
      refused.parameter('order_by does not have a valid value'),
    );
  });

  test('an unknown or invisible project gives 404', async () => {
    const hidden = await seed.project('acme/hidden');
    for (const ref of [hidden.id, 0, 'acme%2Fnothing']) {
      expect(await as(bob).get(`/projects/${ref}/forks`)).toEqual(missing);
      expect(await as(null).get(`/projects/${ref}/forks`)).toEqual(missing);
    }
    expect(await as(ada).get(`/projects/${hidden.id}/forks`)).toEqual({ status: 200, body: [] });
  });

  test('a fork shows its source only while that exists and is visible', async () => {
    const shy = await seed.project('acme/shy', {}, publicVisibility);
    const fork = await createFork(bob, shy.id);
    const from = async (person: TestUser) =>
      (await as(person).get(`/projects/${fork.id}`)).body as { forked_from_project?: unknown };
    expect((await from(bob)).forked_from_project).toEqual(setSource(shy.id, 'acme/shy', 1));
    await as(ada).put(`/projects/${shy.id}`, { visibility: 'private' });
    expect(await from(bob)).not.toHaveProperty('forked_from_project');
    expect((await from(ada)).forked_from_project).toEqual(setSource(shy.id, 'acme/shy', 1));
    expect(await from(root)).toHaveProperty('forked_from_project');
    await as(ada).delete(`/projects/${shy.id}`);
    expect(await from(root)).not.toHaveProperty('forked_from_project');
  });
});

describe('POST /projects/:id/fork/:forked_from_id', () => {
  test('an administrator sets the source of a fork', async () => {
    const above = await seed.project('acme/above', {}, publicVisibility);
    const { id } = await seed.project('acme/below', {}, publicVisibility);
    const response = await as(root).post(`/projects/${id}/fork/${above.id}`);
    expect(response).toEqual({
      status: 201,
      body: {
        ...projectShape(
          url,
          {
            id,
            fullPath: 'acme/below',
            visibility: 'public',
            creatorId: root.id,
            namespaceId: acme.id,
          },
          // the creator of a group is its owner
          [null, 50],
        ),
        ...masterFields,
        forked_from_project: setSource(above.id, 'acme/above', 1),
      },
    });
    const twice = refused.conflict('Project already forked');
    expect(await as(root).post(`/projects/${id}/fork/${above.id}`)).toEqual(twice);
    const other = await seed.project('acme/aside');
    expect(await as(root).post(`/projects/${id}/fork/acme%2Faside`)).toEqual(twice);
    expect(await forksCount(above.id)).toBe(1);
    expect(await forksCount(other.id)).toBe(0);
    // after the source is removed, another one can be set
    await as(root).delete(`/projects/${above.id}`);
    expect(await as(root).post(`/projects/${id}/fork/acme%2Faside`)).toMatchObject({
      status: 201,
      body: { forked_from_project: { id: other.id } },
    });
  });

  test('requires an administrator and two existing projects', async () => {
    const { id } = await seed.project('acme/tied', {}, publicVisibility);
    const { id: from } = await seed.project('acme/from', {}, publicVisibility);
    expect(await as(ada).post(`/projects/${id}/fork/${from}`)).toEqual(refused.forbidden);
    expect(await as(bob).post(`/projects/${id}/fork/${from}`)).toEqual(refused.forbidden);
    expect(await as(null).post(`/projects/${id}/fork/${from}`)).toEqual(refused.anonymous);
    expect(await as(root).post(`/projects/${id}/fork/0`)).toEqual(missing);
    expect(await as(root).post(`/projects/0/fork/${from}`)).toEqual(missing);
    expect(await as(root).post(`/projects/${id}/fork/${id}`)).toEqual(
      refused.conflict('A project cannot be forked from itself'),
    );
  });

  test('one of several concurrent requests succeeds', async () => {
    const { id } = await seed.project('acme/raced', {}, publicVisibility);
    const { id: from } = await seed.project('acme/racer', {}, publicVisibility);
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => as(root).post(`/projects/${id}/fork/${from}`)),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await forksCount(from)).toBe(1);
  });
});

describe('DELETE /projects/:id/fork', () => {
  test('an owner removes the relation once', async () => {
    const { id: from } = await seed.project('acme/origin', {}, publicVisibility);
    const { id } = await createFork(bob, from);
    expect(await forksCount(from)).toBe(1);
    expect(await as(bob).delete(`/projects/${id}/fork`)).toEqual({ status: 204, body: null });
    expect(await as(bob).delete(`/projects/${id}/fork`)).toEqual({ status: 304, body: null });
    expect(await forksCount(from)).toBe(0);
    const { body } = await as(bob).get(`/projects/${id}`);
    expect(body).not.toHaveProperty('forked_from_project');
    expect((await as(bob).get(`/projects/${from}/forks`)).body).toEqual([]);
    // removing the former fork does not change the count
    await as(bob).delete(`/projects/${id}`);
    expect(await forksCount(from)).toBe(0);
  });

  test('is refused to masters, other users and anonymous users', async () => {
    const { id: from } = await seed.project('acme/kept', {}, publicVisibility);
    const { id } = await createFork(ada, from, {
      namespace: 'acme',
      path: 'keeper',
      name: 'keeper',
    });
    await as(ada).post(`/projects/${id}/members`, { user_id: carl.id, access_level: 40 });
    expect(await as(carl).delete(`/projects/${id}/fork`)).toEqual(refused.forbidden);
    expect(await as(bob).delete(`/projects/${id}/fork`)).toEqual(refused.forbidden);
    expect(await as(null).delete(`/projects/${id}/fork`)).toEqual(refused.anonymous);
    expect(await as(root).delete('/projects/0/fork')).toEqual(missing);
    expect(await forksCount(from)).toBe(1);
    expect(await as(root).delete(`/projects/${id}/fork`)).toEqual({ status: 204, body: null });
  });

  test('a concurrent removal of fork and relation is counted once', async () => {
    const { id: from } = await seed.project('acme/counted', {}, publicVisibility);
    const { id } = await createFork(bob, from);
    await Promise.all([
      as(bob).delete(`/projects/${id}/fork`),
      as(bob).delete(`/projects/${id}`),
      as(bob).delete(`/projects/${id}/fork`),
    ]);
    expect(await forksCount(from)).toBe(0);
  });
});
