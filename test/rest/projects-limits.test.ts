import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, dataFolder } = await world();
const poor = await seed.user('poor', { projectsLimit: 0 });
const scarce = await seed.user('scarce', { projectsLimit: 1 });
const many = await seed.user('many', { projectsLimit: 3 });
const group = await seed.group('works', { master: [poor, scarce] });
await seed.project('works/first');

const none = {
  status: 403,
  body: {
    error: [
      'Personal project creation is not allowed. Please contact your administrator with questions',
    ],
  },
};
const only = (limit: number) => ({
  status: 403,
  body: {
    error: [
      `Your project limit is ${limit} projects! Please contact your administrator to increase it`,
    ],
  },
});

const repositories = async () =>
  (await readdir(join(dataFolder, 'repositories'), { recursive: true })).filter((entry) =>
    /[0-9a-f]{32}\.git$/.test(entry),
  ).length;

describe('the number of personal projects', () => {
  test('0 allows none, and leaves no repository', async () => {
    const before = await repositories();
    expect(await as(poor).post('/projects', { name: 'x' })).toEqual(none);
    const space = await db.namespace.findUniqueOrThrow({ where: { ownerId: poor.id } });
    expect(await as(poor).post('/projects', { name: 'x', namespace_id: space.id })).toEqual(none);
    expect(await repositories()).toBe(before);
  });

  test('1 allows one, archived or not', async () => {
    expect((await as(scarce).post('/projects', { name: 'one' })).status).toBe(201);
    expect(await as(scarce).post('/projects', { name: 'two' })).toEqual(only(1));
    await as(scarce).post('/projects/scarce%2Fone/archive');
    expect(await as(scarce).post('/projects', { name: 'two' })).toEqual(only(1));
  });

  test('does not count those of groups', async () => {
    for (const person of [poor, scarce]) {
      const wanted = { name: `of ${person.username}`, namespace_id: group.id };
      expect((await as(person).post('/projects', wanted)).status).toBe(201);
    }
  });

  test('is judged after what was said wrongly', async () => {
    expect(await as(poor).post('/projects', { name: '<b>' })).toEqual(
      refused.invalid({ name: ["can contain only letters, digits, '_', '.', dash and space."] }),
    );
  });

  test('is as many as there may be, however many are asked for at once', async () => {
    const before = await repositories();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => as(many).post('/projects', { path: `p${n}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const others = answers.filter(({ status }) => status !== 201);
    expect(others).toEqual(Array(17).fill(only(3)));
    expect((await as(root).get('/users/many/projects')).body).toHaveLength(3);
    expect(await repositories()).toBe(before + 3);
  });

  test('may be less than there are already', async () => {
    await db.user.update({ where: { id: many.id }, data: { projectsLimit: 2 } });
    expect(await as(many).post('/projects', { name: 'more' })).toEqual(only(2));
    const [{ id }] = (await as(many).get('/users/many/projects')).body as [{ id: number }];
    expect((await as(many).put(`/projects/${id}`, { description: 'mine' })).status).toBe(200);
  });
});

describe('where a project may lie', async () => {
  const invalid = refused.invalid({ namespace: ['is not valid'] });
  const chief = await seed.user('chief', { isAdmin: true });
  const people = {
    'a stranger': await seed.user('stranger'),
    'a guest': await seed.user('guest'),
    'a reporter': await seed.user('reporter'),
    'a developer': await seed.user('developer'),
    'a master': await seed.user('master'),
    'an owner': await seed.user('owner'),
    'a master above': await seed.user('above'),
    'a master below': await seed.user('below'),
    'an administrator': chief,
  } as const;
  await seed.group('top', { master: people['a master above'] });
  const place = await seed.group('top/place', {
    guest: people['a guest'],
    reporter: people['a reporter'],
    developer: people['a developer'],
    master: people['a master'],
    owner: people['an owner'],
  });
  await seed.group('top/place/below', { master: people['a master below'] });

  test.each([
    ['a stranger', false],
    ['a guest', false],
    ['a reporter', false],
    ['a developer', false],
    ['a master below', false],
    ['a master', true],
    ['a master above', true],
    ['an owner', true],
    ['an administrator', true],
  ] as const)('%s: %s', async (who, may) => {
    const person = people[who];
    const wanted = { name: `By ${person.username}`, namespace_id: place.id };
    const answer = await as(person).post('/projects', wanted);
    if (may) expect(answer).toMatchObject({ status: 201, body: { name: wanted.name } });
    else expect(answer).toEqual(invalid);
  });

  test('only an administrator makes one in the space of somebody else', async () => {
    const space = await db.namespace.findUniqueOrThrow({ where: { ownerId: scarce.id } });
    const wanted = { name: 'foreign', namespace_id: space.id };
    expect(await as(people['an owner']).post('/projects', wanted)).toEqual(invalid);
    const { status, body } = await as(chief).post('/projects', wanted);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { path_with_namespace: 'scarce/foreign', creator_id: chief.id },
    });
  });

  test('what is no namespace, or no more, is no place', async () => {
    const gone = await seed.group('gone', { owner: people['an owner'] });
    await as(root).delete(`/groups/${gone.id}`);
    for (const namespace_id of [0, -1, 999_999, gone.id]) {
      expect(await as(chief).post('/projects', { name: 'x', namespace_id })).toEqual(invalid);
    }
    expect(await as(chief).post('/projects', { name: 'x', namespace_id: 'top' })).toEqual(
      refused.parameter('namespace_id is invalid'),
    );
  });
});
