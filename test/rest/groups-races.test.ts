import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../support/client.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, db, root } = await world();
const ada = await seed.user('ada');
const owner = as(ada);

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

const alreadyTaken = refused.invalid({ path: ['has already been taken'] });
const notSaved = {
  status: 400,
  body: { message: 'Failed to save group {:path=>["has already been taken"]}' },
};
const neitherSaved = {
  status: 400,
  body: {
    message:
      'Failed to save group ' +
      '{:name=>["has already been taken"], :path=>["has already been taken"]}',
  },
};
const isCreated = ({ status }: ApiResponse) => status < 300;

/** Checks that routes and full paths agree for a group and everything below it. */
const listStrayRoutes = async (id: number) => {
  const [namespaces, projects] = await Promise.all([
    db.namespace.findMany({ where: { ancestorIds: { has: id } }, include: { route: true } }),
    db.project.findMany({
      where: { namespace: { ancestorIds: { has: id } } },
      include: { route: true },
    }),
  ]);
  return [...namespaces, ...projects]
    .filter(({ fullPath, route }) => route?.key !== fullPath.toLowerCase())
    .map(({ fullPath }) => fullPath);
};

describe('concurrent requests for one path', () => {
  test('one of eight new groups is created, regardless of case', async () => {
    const responses = await Promise.all(
      times(8, (n) => owner.post('/groups', { name: 'same', path: n % 2 ? 'same' : 'SAME' })),
    );
    expect(responses.filter(isCreated)).toHaveLength(1);
    expect(responses.filter((response) => !isCreated(response))).toEqual(
      Array(7).fill(neitherSaved),
    );
  });

  test('one of eight groups with one name is created', async () => {
    const responses = await Promise.all(
      times(8, (n) => owner.post('/groups', { name: 'One Name', path: `one-name-${n}` })),
    );
    expect(responses.filter(isCreated)).toHaveLength(1);
    const message = 'Failed to save group {:name=>["has already been taken"]}';
    expect(responses.filter((response) => !isCreated(response))).toEqual(
      Array(7).fill({ status: 400, body: { message } }),
    );
  });

  test('either a user or a group of one name is created', async () => {
    for (const name of ['dora', 'emil', 'fred', 'gina']) {
      const user = { username: name, name, email: `${name}@example.com`, password: 'long enough' };
      const responses = await Promise.all([
        as(root).post('/users', user),
        owner.post('/groups', { name, path: `group-of-${name}` }),
      ]);
      const counts = await Promise.all([
        db.namespace.count({ where: { parentId: null, name } }),
        db.user.count({ where: { username: name } }),
      ]);
      expect(responses.filter(isCreated)).toHaveLength(1);
      expect(counts).toEqual([1, isCreated(responses[0]) ? 1 : 0]);
      expect(responses.map(({ status }) => status)).toContainEqual(
        isCreated(responses[0]) ? 400 : 409,
      );
    }
  });

  test('one of eight new subgroups is created', async () => {
    const { id } = await seed.group('above', { owner: ada });
    const responses = await Promise.all(
      times(8, (n) => owner.post('/groups', { name: `n${n}`, path: 'same', parent_id: id })),
    );
    expect(responses.filter(isCreated)).toHaveLength(1);
    expect(responses.filter((response) => !isCreated(response))).toEqual(Array(7).fill(notSaved));
  });

  test('either a group or a project of one path is created', async () => {
    const { id } = await seed.group('mixed', { owner: ada });
    for (const path of ['a', 'b', 'c', 'd']) {
      const [group, project] = await Promise.all([
        owner.post('/groups', { name: path, path, parent_id: id }),
        owner.post('/projects', { path, namespace_id: id }),
      ]);
      expect([group, project].filter(isCreated)).toHaveLength(1);
    }
    expect(await listStrayRoutes(id)).toEqual([]);
  });

  test('either a new or a renamed group gets the path, the other gets an error', async () => {
    const groups = await Promise.all(times(6, (n) => seed.group(`from-${n}`, { owner: ada })));
    for (const [n, { id }] of groups.entries()) {
      const path = `goal-${n}`;
      const [renamed, created] = await Promise.all([
        owner.put(`/groups/${id}`, { path }),
        owner.post('/groups', { name: path, path }),
      ]);
      expect([renamed, created].filter(isCreated)).toHaveLength(1);
      expect(isCreated(renamed) ? created : renamed).toEqual(
        isCreated(renamed) ? notSaved : alreadyTaken,
      );
      expect(await db.route.count({ where: { key: path } })).toBe(1);
    }
  });

  test('a path that is freed and requested concurrently stays a redirect', async () => {
    const groups = await Promise.all(times(6, (n) => seed.group(`left-${n}`, { owner: ada })));
    for (const [n, { id }] of groups.entries()) {
      const path = `left-${n}`;
      const [renamed, created] = await Promise.all([
        owner.put(`/groups/${id}`, { path: `gone-${n}` }),
        owner.post('/groups', { name: `Wanted ${n}`, path }),
      ]);
      expect(renamed.status).toBe(200);
      expect(created).toEqual(notSaved);
    }
  });
});

describe('concurrent changes of a group', () => {
  test('renaming parent and subgroup keeps every path correct', async () => {
    const { id } = await seed.group('tree', { owner: ada });
    const inner = await seed.group('tree/inner');
    const app = await seed.project('tree/inner/app');
    for (let round = 0; round < 4; round += 1) {
      const responses = await Promise.all([
        owner.put(`/groups/${id}`, { path: `tree-${round}` }),
        owner.put(`/groups/${inner.id}`, { path: `inner-${round}` }),
        owner.put(`/projects/${app.id}`, { path: `app-${round}` }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await owner.get(`/projects/${app.id}`)).body).toMatchObject({
        path_with_namespace: `tree-${round}/inner-${round}/app-${round}`,
      });
      expect(await listStrayRoutes(id)).toEqual([]);
    }
  });

  test('lowering the visibility while content is created leaves no more visible content', async () => {
    for (let round = 0; round < 3; round += 1) {
      const path = `narrowing-${round}`;
      const { id } = await seed.group(path, { owner: ada }, { visibility: 'public' });
      const wide = { namespace_id: id, parent_id: id, visibility: 'public' };
      const [narrowed] = await Promise.all([
        owner.put(`/groups/${id}`, { visibility: 'private' }),
        ...times(3, (n) => owner.post('/projects', { ...wide, path: `p${n}` })),
        ...times(3, (n) => owner.post('/groups', { ...wide, name: `g${n}`, path: `g${n}` })),
      ]);
      expect([200, 400]).toContain(narrowed?.status);
      const group = await db.namespace.findUniqueOrThrow({ where: { id } });
      const wider = {
        visibility: 'public' as const,
        isRemoved: false,
      };
      const visibilities = await Promise.all([
        db.project.count({ where: { namespaceId: id, ...wider } }),
        db.namespace.count({ where: { parentId: id, ...wider } }),
      ]);
      if (group.visibility === 'private') expect(visibilities).toEqual([0, 0]);
    }
  });
});

describe('a group that is removed', () => {
  test('is removed once by concurrent requests', async () => {
    const { id } = await seed.group('popular', { owner: ada });
    const responses = await Promise.all(times(6, () => owner.delete(`/groups/${id}`)));
    expect(responses.filter(isCreated)).toEqual([{ status: 204, body: null }]);
    expect(responses.filter((response) => !isCreated(response))).toEqual(
      Array(5).fill(refused.missing('Group')),
    );
  });

  test('removes or rejects content created concurrently', async () => {
    const { id } = await seed.group('closing', { owner: ada });
    const inner = await seed.group('closing/inner');
    const responses = await Promise.all([
      ...times(6, (n) =>
        owner.post('/groups', { name: `g${n}`, path: `g${n}`, parent_id: inner.id }),
      ),
      ...times(6, (n) => owner.post('/projects', { path: `p${n}`, namespace_id: inner.id })),
      owner.delete(`/groups/${id}`),
    ]);
    expect(responses.pop()).toEqual({ status: 204, body: null });
    for (const { status } of responses) expect([201, 400, 404]).toContain(status);
    const remaining = () => db.namespace.count({ where: { ancestorIds: { has: id } } });
    await expect.poll(remaining).toBe(0);
    expect(await db.route.count({ where: { key: { startsWith: 'closing' } } })).toBe(0);
  });

  test('and renamed concurrently leaves no path behind', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id } = await seed.group(`was-${round}`, { owner: ada });
      await seed.project(`was-${round}/app`);
      const [renamed, removed] = await Promise.all([
        owner.put(`/groups/${id}`, { path: `will-${round}` }),
        owner.delete(`/groups/${id}`),
      ]);
      expect([200, 404]).toContain(renamed.status);
      expect(removed.status).toBe(204);
      for (const path of [`was-${round}`, `will-${round}`]) {
        expect((await owner.post('/groups', { name: path, path })).status).toBe(201);
      }
    }
  });
});
