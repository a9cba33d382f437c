import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, dataFolder } = await world();
const limitZero = await seed.user('poor', { projectsLimit: 0 });
const limitOne = await seed.user('scarce', { projectsLimit: 1 });
const limitThree = await seed.user('many', { projectsLimit: 3 });
const group = await seed.group('works', { master: [limitZero, limitOne] });
await seed.project('works/first');

const notAllowed = {
  status: 403,
  body: {
    error: [
      'Personal project creation is not allowed. Please contact your administrator with questions',
    ],
  },
};
const limitReached = (limit: number) => ({
  status: 403,
  body: {
    error: [
      `Your project limit is ${limit} projects! Please contact your administrator to increase it`,
    ],
  },
});

const countRepositories = async () =>
  (await readdir(join(dataFolder, 'repositories'), { recursive: true })).filter((entry) =>
    /[0-9a-f]{32}\.git$/.test(entry),
  ).length;

describe('the number of personal projects', () => {
  test('0 allows no project and leaves no repository', async () => {
    const before = await countRepositories();
    expect(await as(limitZero).post('/projects', { name: 'x' })).toEqual(notAllowed);
    const space = await db.namespace.findUniqueOrThrow({ where: { ownerId: limitZero.id } });
    expect(await as(limitZero).post('/projects', { name: 'x', namespace_id: space.id })).toEqual(
      notAllowed,
    );
    expect(await countRepositories()).toBe(before);
  });

  test('1 allows one project, archived or not', async () => {
    expect((await as(limitOne).post('/projects', { name: 'one' })).status).toBe(201);
    expect(await as(limitOne).post('/projects', { name: 'two' })).toEqual(limitReached(1));
    await as(limitOne).post('/projects/scarce%2Fone/archive');
    expect(await as(limitOne).post('/projects', { name: 'two' })).toEqual(limitReached(1));
  });

  test('does not count projects of groups', async () => {
    for (const person of [limitZero, limitOne]) {
      const input = { name: `of ${person.username}`, namespace_id: group.id };
      expect((await as(person).post('/projects', input)).status).toBe(201);
    }
  });

  test('is checked after the parameters', async () => {
    expect(await as(limitZero).post('/projects', { name: '<b>' })).toEqual(
      refused.invalid({ name: ["can contain only letters, digits, '_', '.', dash and space."] }),
    );
  });

  test('is not exceeded by concurrent requests', async () => {
    const before = await countRepositories();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => as(limitThree).post('/projects', { path: `p${n}` })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
    const refusals = responses.filter(({ status }) => status !== 201);
    expect(refusals).toEqual(Array(17).fill(limitReached(3)));
    expect((await as(root).get('/users/many/projects')).body).toHaveLength(3);
    expect(await countRepositories()).toBe(before + 3);
  });

  test('can be lower than the number of existing projects', async () => {
    await db.user.update({ where: { id: limitThree.id }, data: { projectsLimit: 2 } });
    expect(await as(limitThree).post('/projects', { name: 'more' })).toEqual(limitReached(2));
    const [{ id }] = (await as(limitThree).get('/users/many/projects')).body as [{ id: number }];
    expect((await as(limitThree).put(`/projects/${id}`, { description: 'mine' })).status).toBe(200);
  });
});

describe('the namespace of a project', async () => {
  const invalid = refused.invalid({ namespace: ['is not valid'] });
  const administrator = await seed.user('chief', { isAdmin: true });
  const users = {
    'another user': await seed.user('outsider'),
    'a guest': await seed.user('guest'),
    'a reporter': await seed.user('reporter'),
    'a developer': await seed.user('developer'),
    'a master': await seed.user('master'),
    'an owner': await seed.user('owner'),
    'a master of the parent group': await seed.user('above'),
    'a master of a subgroup': await seed.user('below'),
    'an administrator': administrator,
  } as const;
  await seed.group('top', { master: users['a master of the parent group'] });
  const group = await seed.group('top/place', {
    guest: users['a guest'],
    reporter: users['a reporter'],
    developer: users['a developer'],
    master: users['a master'],
    owner: users['an owner'],
  });
  await seed.group('top/place/below', { master: users['a master of a subgroup'] });

  test.each([
    ['another user', false],
    ['a guest', false],
    ['a reporter', false],
    ['a developer', false],
    ['a master of a subgroup', false],
    ['a master', true],
    ['a master of the parent group', true],
    ['an owner', true],
    ['an administrator', true],
  ] as const)('%s can create a project in a group: %s', async (role, allowed) => {
    const person = users[role];
    const input = { name: `By ${person.username}`, namespace_id: group.id };
    const response = await as(person).post('/projects', input);
    if (allowed) expect(response).toMatchObject({ status: 201, body: { name: input.name } });
    else expect(response).toEqual(invalid);
  });

  test('only an administrator creates a project in the personal namespace of another user', async () => {
    const space = await db.namespace.findUniqueOrThrow({ where: { ownerId: limitOne.id } });
    const input = { name: 'foreign', namespace_id: space.id };
    expect(await as(users['an owner']).post('/projects', input)).toEqual(invalid);
    const { status, body } = await as(administrator).post('/projects', input);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { path_with_namespace: 'scarce/foreign', creator_id: administrator.id },
    });
  });

  test('rejects unknown and deleted namespaces', async () => {
    const deleted = await seed.group('deleted', { owner: users['an owner'] });
    await as(root).delete(`/groups/${deleted.id}`);
    for (const namespace_id of [0, -1, 999_999, deleted.id]) {
      expect(await as(administrator).post('/projects', { name: 'x', namespace_id })).toEqual(
        invalid,
      );
    }
    expect(await as(administrator).post('/projects', { name: 'x', namespace_id: 'top' })).toEqual(
      refused.parameter('namespace_id is invalid'),
    );
  });
});
