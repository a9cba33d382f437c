import { describe, expect, test } from 'vitest';
import { currentUserShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const anonymous = as(null);

const signedIn = (person: typeof ada) => ({
  status: 201,
  body: {
    ...currentUserShape(url, person),
    last_sign_in_at: instant,
    current_sign_in_at: instant,
    last_activity_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    is_admin: false,
    private_token: person.token,
  },
});

describe('POST /session', () => {
  test('a username and password return the private token', async () => {
    const response = await anonymous.post('/session', { login: 'ada', password: ada.password });
    expect(response).toEqual(signedIn(ada));
  });

  test.each([
    ['a username in other case', { login: 'ADA' }],
    ['an e-mail address as the login', { login: 'Ada@Example.com' }],
    ['an e-mail address', { email: ada.email }],
    ['a username as the e-mail', { email: 'ada' }],
  ])('%s is accepted', async (_name, login) => {
    expect(await anonymous.post('/session', { ...login, password: ada.password })).toEqual(
      signedIn(ada),
    );
  });

  test('the returned token authenticates API requests', async () => {
    const { body } = await anonymous.post('/session', { login: 'bob', password: bob.password });
    const { private_token: token } = body as { private_token: string };
    const { status } = await as({ ...bob, token }).get('/user');
    expect(status).toBe(200);
  });

  test.each([
    ['a wrong password', { login: 'ada', password: 'not the password' }],
    ['an unknown username', { login: 'unknown', password: ada.password }],
    ['an empty login', { login: '', password: ada.password }],
    ['an empty password', { login: 'ada', password: '' }],
  ])('%s gives 401', async (_name, credentials) => {
    expect(await anonymous.post('/session', credentials)).toEqual(refused.anonymous);
  });

  test.each([
    [{ login: 'ada' }, 'password is missing'],
    [{ password: 'x' }, 'login, email are missing, at least one parameter must be provided'],
    [{ login: 'ada', password: { $ne: 1 } }, 'password is invalid'],
    [{ login: ['ada'], password: 'x' }, 'login is invalid'],
    [{ login: 'ada\0', password: 'x' }, 'login is invalid'],
  ])('rejects %o: %s', async (credentials, text) => {
    expect(await anonymous.post('/session', credentials)).toEqual(refused.parameter(text));
  });

  test('a user with two-factor authentication is asked to use a personal access token', async () => {
    const eve = await seed.user('eve');
    await db.user.update({ where: { id: eve.id }, data: { isTwoFactorEnabled: true } });
    expect(await anonymous.post('/session', { login: 'eve', password: eve.password })).toEqual({
      status: 401,
      body: {
        message:
          '401 Unauthorized. You have 2FA enabled. Please use a personal access token to access the API',
      },
    });
    expect(await anonymous.post('/session', { login: 'eve', password: 'wrong password' })).toEqual(
      refused.anonymous,
    );
  });

  test('a blocked user gets 401', async () => {
    const mallory = await seed.user('mallory');
    await db.user.update({ where: { id: mallory.id }, data: { state: 'blocked' } });
    expect(
      await anonymous.post('/session', { login: 'mallory', password: mallory.password }),
    ).toEqual(refused.anonymous);
  });
});
