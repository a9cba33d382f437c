import { describe, expect, test } from 'vitest';
import { basicUserShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const directory = await seed.user('directory');
await db.user.update({ where: { id: directory.id }, data: { state: 'ldap_blocked' } });
const administrator = as(root);
const done = { status: 201, body: true };
const unchanged = { status: 201, body: false };

const stateOf = async ({ id }: typeof ada) =>
  (await db.user.findUniqueOrThrow({ where: { id } })).state;

describe.each(['block', 'unblock'])('POST /users/:id/%s', (verb) => {
  test('requires an administrator', async () => {
    expect(await as(null).post(`/users/${ada.id}/${verb}`)).toEqual(refused.anonymous);
    expect(await as(bob).post(`/users/${ada.id}/${verb}`)).toEqual(refused.forbidden);
    expect(await as(ada).post(`/users/${ada.id}/${verb}`)).toEqual(refused.forbidden);
  });

  test('an unknown user gives 404', async () => {
    for (const id of ['999999', '99999999999', '0']) {
      expect(await administrator.post(`/users/${id}/${verb}`)).toEqual(refused.missing('User'));
    }
    expect(await administrator.post(`/users/ada/${verb}`)).toEqual(refused.route);
  });
});

describe('POST /users/:id/block', () => {
  test('ends access immediately, until the user is unblocked', async () => {
    const path = `/users/${ada.id}`;
    expect((await as(ada).get('/user')).status).toBe(200);
    expect(await administrator.post(`${path}/block`)).toEqual(done);
    expect(await as(ada).get('/user')).toEqual(refused.anonymous);
    expect(await as(ada).get('/projects')).toEqual(refused.anonymous);
    const login = { login: 'ada', password: ada.password };
    expect(await as(null).post('/session', login)).toEqual(refused.anonymous);
    expect(await as(bob).get('/users?username=ada')).toEqual({
      status: 200,
      body: [{ ...basicUserShape(url, ada), state: 'blocked' }],
    });
    expect(await administrator.post(`${path}/block`)).toEqual(unchanged);
    expect(await administrator.post(`${path}/unblock`)).toEqual(done);
    expect((await as(ada).get('/user')).status).toBe(200);
    expect(await administrator.post(`${path}/unblock`)).toEqual(unchanged);
  });

  test('one of twenty concurrent requests changes the state', async () => {
    for (const verb of ['block', 'unblock']) {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => administrator.post(`/users/${bob.id}/${verb}`)),
      );
      expect(responses.filter(({ body }) => body === true)).toEqual([done]);
      expect(responses.filter(({ body }) => body === false)).toEqual(Array(19).fill(unchanged));
    }
    expect(await stateOf(bob)).toBe('active');
  });

  test('an administrator cannot block themselves', async () => {
    expect(await administrator.post(`/users/${root.id}/block`)).toEqual({
      status: 403,
      body: { message: '403 Forbidden - The API initiating user cannot be blocked by the API' },
    });
    expect((await administrator.get('/user')).status).toBe(200);
    expect(await administrator.post(`/users/${root.id}/unblock`)).toEqual(unchanged);
  });

  test.each([
    ['block', 'modified'],
    ['unblock', 'unblocked'],
  ])('a user blocked by the directory cannot be changed: %s', async (verb, participle) => {
    expect(await administrator.post(`/users/${directory.id}/${verb}`)).toEqual({
      status: 403,
      body: { message: `403 Forbidden - LDAP blocked users cannot be ${participle} by the API` },
    });
    expect(await stateOf(directory)).toBe('ldap_blocked');
  });
});
