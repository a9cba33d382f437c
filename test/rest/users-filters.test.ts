import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const eve = await seed.user('eve', { isExternal: true });
const gus = await seed.user('gus');
const hal = await seed.user('hal');
const allUsers = [root, ada, bob, eve, gus, hal];
await db.user.update({ where: { id: gus.id }, data: { state: 'blocked' } });
await db.user.update({ where: { id: hal.id }, data: { state: 'ldap_blocked', name: '50% off' } });
await db.user.update({
  where: { id: bob.id },
  data: { createdAt: new Date('2001-02-03T12:00:00Z') },
});
await db.identity.create({ data: { userId: bob.id, provider: 'ldapmain', externUid: 'uid=bob' } });
await db.identity.create({ data: { userId: eve.id, provider: 'ldapmain', externUid: 'uid=eve' } });
await db.userCustomAttribute.createMany({
  data: [
    { userId: ada.id, key: 'team', value: 'core' },
    { userId: ada.id, key: 'floor', value: '3' },
    { userId: bob.id, key: 'team', value: 'core' },
    { userId: eve.id, key: 'floor', value: '3' },
  ],
});

/** The usernames in the list. */
async function listUsernames(person: typeof ada | null, query: string) {
  const { status, body } = await as(person).get(`/users?${query}`);
  expect(status).toBe(200);
  return (body as { username: string }[]).map(({ username }) => username);
}

const newestFirst = (users: readonly (typeof ada)[]) =>
  users.toSorted((a, b) => b.id - a.id).map(({ username }) => username);

describe('GET /users', () => {
  test.each([
    ['username=ADA', [ada]],
    ['username=ad', []],
    ['search=AD', [ada, root]],
    ['search=50%25', [hal]],
    ['search=%25', [hal]],
    ['search=_', []],
    ['search=BOB@example.com', [bob]],
    ['active=true', [root, ada, bob, eve]],
    ['active=false', allUsers],
    ['blocked=true', [gus, hal]],
    ['blocked=true&active=true', []],
    ['blocked=true&search=gu', [gus]],
    ['external=false', allUsers],
    ['search=&username=', allUsers],
  ])('?%s filters the list for every caller', async (query, users) => {
    expect(await listUsernames(ada, query)).toEqual(newestFirst(users));
    expect(await listUsernames(root, query)).toEqual(newestFirst(users));
  });

  test.each([
    ['search=example.com', allUsers],
    ['search=ob@ex', [bob]],
    ['external=true', [eve]],
    ['external=true&active=yes', [eve]],
    ['provider=ldapmain&extern_uid=uid%3Dbob', [bob]],
    ['provider=other&extern_uid=uid%3Dbob', []],
    ['created_before=2001-02-03', []],
    ['created_before=2001-02-03T12:00:01Z', [bob]],
    ['created_before=2001-02-04', [bob]],
    ['created_after=2001-02-04', allUsers.filter((person) => person !== bob)],
    ['created_after=2001-02-03&created_before=2001-02-04', [bob]],
    ['created_after=2001-02-03T12:00:00Z', allUsers.filter((person) => person !== bob)],
    ['custom_attributes[team]=core', [ada, bob]],
    ['custom_attributes[team]=core&custom_attributes[floor]=3', [ada]],
    ['custom_attributes[team]=cor', []],
    ['custom_attributes[none]=3', []],
    ['custom_attributes[team]=core&search=bo', [bob]],
  ])('?%s filters the list for administrators', async (query, users) => {
    expect(await listUsernames(root, query)).toEqual(newestFirst(users));
  });

  test.each([
    'created_before=2001-01-01',
    'created_after=2999-01-01',
    'custom_attributes[team]=core',
  ])('?%s is ignored for other callers', async (query) => {
    expect(await listUsernames(ada, query)).toEqual(newestFirst(allUsers));
    expect(await listUsernames(null, `${query}&username=eve`)).toEqual(['eve']);
  });

  test('a partial e-mail address matches only for administrators', async () => {
    expect(await listUsernames(ada, 'search=ob@ex')).toEqual([]);
    expect(await listUsernames(null, 'username=bob&search=ob@ex')).toEqual([]);
  });

  test('anonymous users do not learn whose address one is', async () => {
    for (const search of ['bob@example.com', 'BOB@example.com', 'ada@example.com']) {
      expect(await listUsernames(null, `username=bob&search=${search}`)).toEqual([]);
    }
    expect(await listUsernames(null, 'username=bob&search=bo')).toEqual(['bob']);
  });

  test.each(['external=true', 'provider=ldapmain&extern_uid=uid%3Dbob'])(
    '?%s requires an administrator',
    async (query) => {
      expect(await as(ada).get(`/users?${query}`)).toEqual(refused.forbidden);
      expect(await as(null).get(`/users?${query}&username=bob`)).toEqual(refused.anonymous);
    },
  );

  test.each([
    ['provider=ldapmain', 'provider, extern_uid provide all or none of parameters'],
    ['extern_uid=uid', 'provider, extern_uid provide all or none of parameters'],
    ['active=perhaps', 'active is invalid'],
    ['blocked=2', 'blocked is invalid'],
    ['external=x', 'external is invalid'],
    ['created_after=yesterday', 'created_after is invalid'],
    ['created_before=2001-02-30', 'created_before is invalid'],
    ['custom_attributes=core', 'custom_attributes is invalid'],
    ['custom_attributes[a][b]=core', 'custom_attributes is invalid'],
    ['search[]=x', 'search is invalid'],
  ])('rejects ?%s', async (query, text) => {
    for (const person of [root, ada]) {
      expect(await as(person).get(`/users?${query}`)).toEqual(refused.parameter(text));
    }
  });

  test('rejects too many custom attributes', async () => {
    const query = Array.from({ length: 21 }, (_, n) => `custom_attributes[k${n}]=v`).join('&');
    expect(await as(root).get(`/users?${query}`)).toEqual(
      refused.invalid({ custom_attributes: ['are too many (maximum is 20)'] }),
    );
  });
});
