import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve');
const expiredMember = await seed.user('past');

const acme = await seed.group('acme', { owner: ada, reporter: bob }, { visibility: 'public' });
const tools = await seed.group('acme/tools', { master: eve, developer: bob });
const deep = await seed.group('acme/tools/deep');
const other = await seed.group('Under_score', { master: bob });
await as(root).post(`/groups/${deep.id}/members`, {
  user_id: expiredMember.id,
  access_level: 30,
  expires_at: '2001-01-01',
});

const ownId = async ({ id }: TestUser) =>
  (await db.namespace.findUniqueOrThrow({ where: { ownerId: id } })).id;

const personal = async (person: TestUser) => ({
  id: await ownId(person),
  name: person.username,
  path: person.username,
  kind: 'user',
  full_path: person.username,
  parent_id: null,
});

const shapes = {
  acme: { id: acme.id, name: 'acme', path: 'acme', kind: 'group', full_path: 'acme' },
  tools: { id: tools.id, name: 'tools', path: 'tools', kind: 'group', full_path: 'acme/tools' },
  deep: { id: deep.id, name: 'deep', path: 'deep', kind: 'group', full_path: 'acme/tools/deep' },
  other: {
    id: other.id,
    name: 'Under_score',
    path: 'Under_score',
    kind: 'group',
    full_path: 'Under_score',
  },
};
const asMember = {
  acme: { ...shapes.acme, parent_id: null },
  tools: { ...shapes.tools, parent_id: acme.id },
  deep: { ...shapes.deep, parent_id: tools.id },
  other: { ...shapes.other, parent_id: null },
};
/** The counts include the administrator, who owns every group as its creator. */
const counted = {
  acme: { ...asMember.acme, members_count_with_descendants: 4 },
  tools: { ...asMember.tools, members_count_with_descendants: 3 },
  deep: { ...asMember.deep, members_count_with_descendants: 1 },
  other: { ...asMember.other, members_count_with_descendants: 2 },
};

const pathsOf = (body: unknown) =>
  (body as { full_path: string }[]).map(({ full_path }) => full_path);

describe('GET /namespaces', () => {
  test('an owner sees the personal namespace and groups with their member counts', async () => {
    expect(await as(ada).get('/namespaces')).toEqual({
      status: 200,
      body: [await personal(ada), counted.acme],
    });
  });

  test('masters see member counts, lower roles do not', async () => {
    expect(await as(bob).get('/namespaces')).toEqual({
      status: 200,
      body: [await personal(bob), asMember.acme, asMember.tools, counted.other],
    });
    expect(await as(eve).get('/namespaces')).toEqual({
      status: 200,
      body: [await personal(eve), counted.tools],
    });
  });

  test('an expired membership shows no group', async () => {
    expect(await as(expiredMember).get('/namespaces')).toEqual({
      status: 200,
      body: [await personal(expiredMember)],
    });
  });

  test('an administrator sees all namespaces', async () => {
    expect(await as(root).get('/namespaces')).toEqual({
      status: 200,
      body: [
        await personal(root),
        await personal(ada),
        await personal(bob),
        await personal(eve),
        await personal(expiredMember),
        counted.acme,
        counted.tools,
        counted.deep,
        counted.other,
      ],
    });
  });

  test('is refused to anonymous users', async () => {
    expect(await as(null).get('/namespaces')).toEqual(refused.anonymous);
  });

  test.each([
    ['search=TOOL', ['acme/tools']],
    ['search=r_s', ['Under_score']],
    ['search=acme/tools', []],
    ['search=', ['bob', 'acme', 'acme/tools', 'Under_score']],
    ['per_page=2&page=2', ['acme/tools', 'Under_score']],
    ['page=3', []],
  ])('%s filters the list', async (query, paths) => {
    const { status, body } = await as(bob).get(`/namespaces?${query}`);
    expect({ status, paths: pathsOf(body) }).toEqual({ status: 200, paths });
  });

  test('headers describe the page', async () => {
    const { headers } = await as(bob).fetch('/namespaces?per_page=3');
    expect(headers.get('X-Total')).toBe('4');
    expect(headers.get('X-Total-Pages')).toBe('2');
    expect(headers.get('X-Next-Page')).toBe('2');
  });

  test('rejects a page that is not a number', async () => {
    expect(await as(bob).get('/namespaces?page=first')).toEqual(
      refused.parameter('page is invalid'),
    );
  });

  test('a removed group is not listed', async () => {
    const { id } = await seed.group('passing', { owner: eve });
    expect(pathsOf((await as(eve).get('/namespaces')).body)).toContain('passing');
    await as(eve).delete(`/groups/${id}`);
    for (const person of [eve, root]) {
      expect(pathsOf((await as(person).get('/namespaces')).body)).not.toContain('passing');
      expect(await as(person).get(`/namespaces/${id}`)).toEqual(refused.missing('Namespace'));
    }
  });
});

describe('GET /namespaces/:id', () => {
  test('a user sees the personal namespace by id and path', async () => {
    const response = { status: 200, body: await personal(ada) };
    expect(await as(ada).get(`/namespaces/${await ownId(ada)}`)).toEqual(response);
    expect(await as(ada).get('/namespaces/ADA')).toEqual(response);
  });

  test('a member sees a group, also as a member of its parent', async () => {
    expect(await as(ada).get('/namespaces/acme%2Ftools%2Fdeep')).toEqual({
      status: 200,
      body: counted.deep,
    });
    expect(await as(bob).get(`/namespaces/${deep.id}`)).toEqual({
      status: 200,
      body: asMember.deep,
    });
  });

  test('an administrator sees any namespace', async () => {
    expect(await as(root).get('/namespaces/eve')).toEqual({
      status: 200,
      body: await personal(eve),
    });
    expect(await as(root).get(`/namespaces/${tools.id}`)).toEqual({
      status: 200,
      body: counted.tools,
    });
  });

  test.each([
    ['another user', eve, 'ada'],
    ['a non-member of a public group', expiredMember, 'acme'],
    ['a member of a subgroup', eve, 'acme'],
    ['a user with an expired membership', expiredMember, 'acme%2Ftools%2Fdeep'],
    ['an administrator', root, 'nowhere'],
    ['an administrator', root, '99999999999'],
  ])('responds to %s (%#) with 404', async (_caller, person, id) => {
    expect(await as(person).get(`/namespaces/${id}`)).toEqual(refused.missing('Namespace'));
  });

  test('is refused to anonymous users', async () => {
    expect(await as(null).get('/namespaces/acme')).toEqual(refused.anonymous);
  });
});
