import { describe, expect, test } from 'vitest';
import { currentUserShape, instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const nobody = as(null);

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
  test('a username and its password give the private token', async () => {
    const answer = await nobody.post('/session', { login: 'ada', password: ada.password });
    expect(answer).toEqual(signedIn(ada));
  });

  test.each([
    ['a username in other letters', { login: 'ADA' }],
    ['an e-mail address as the login', { login: 'Ada@Example.com' }],
    ['an e-mail address', { email: ada.email }],
    ['a username as the e-mail', { email: 'ada' }],
  ])('%s is as good', async (_name, login) => {
    expect(await nobody.post('/session', { ...login, password: ada.password })).toEqual(
      signedIn(ada),
    );
  });

  test('the token it gives is good for the rest of the interface', async () => {
    const { body } = await nobody.post('/session', { login: 'bob', password: bob.password });
    const { private_token: token } = body as { private_token: string };
    const { status } = await as({ ...bob, token }).get('/user');
    expect(status).toBe(200);
  });

  test.each([
    ['a wrong password', { login: 'ada', password: 'not the password' }],
    ['a name nobody has', { login: 'nobody', password: ada.password }],
    ['an empty login', { login: '', password: ada.password }],
    ['an empty password', { login: 'ada', password: '' }],
  ])('%s is the same refusal', async (_name, credentials) => {
    expect(await nobody.post('/session', credentials)).toEqual(refused.anonymous);
  });

  test.each([
    [{ login: 'ada' }, 'password is missing'],
    [{ password: 'x' }, 'login, email are missing, at least one parameter must be provided'],
    [{ login: 'ada', password: { $ne: 1 } }, 'password is invalid'],
    [{ login: ['ada'], password: 'x' }, 'login is invalid'],
    [{ login: 'ada\0', password: 'x' }, 'login is invalid'],
  ])('%o is refused: %s', async (credentials, text) => {
    expect(await nobody.post('/session', credentials)).toEqual(refused.parameter(text));
  });

  test('who has a second factor is told to use a token', async () => {
    const eve = await seed.user('eve');
    await db.user.update({ where: { id: eve.id }, data: { isTwoFactorEnabled: true } });
    expect(await nobody.post('/session', { login: 'eve', password: eve.password })).toEqual({
      status: 401,
      body: {
        message:
          '401 Unauthorized. You have 2FA enabled. Please use a personal access token to access the API',
      },
    });
    expect(await nobody.post('/session', { login: 'eve', password: 'wrong password' })).toEqual(
      refused.anonymous,
    );
  });

  test('who is blocked stays outside', async () => {
    const mallory = await seed.user('mallory');
    await db.user.update({ where: { id: mallory.id }, data: { state: 'blocked' } });
    expect(await nobody.post('/session', { login: 'mallory', password: mallory.password })).toEqual(
      refused.anonymous,
    );
  });
});
