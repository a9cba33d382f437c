import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { currentUserShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const { id: app } = await seed.project('ada/app');
const administrator = as(root);

/** The response of GET /user to an administrator who acts as `person`. */
const userResponse = (person: TestUser, isAdmin = false) => ({
  status: 200,
  body: { ...currentUserShape(url, person), is_admin: isAdmin, private_token: person.token },
});

const unknown = (name: string) => ({
  status: 404,
  body: { message: `404 No user id or username for: ${name} Not Found` },
});

const requestAs = async (person: TestUser | null, name: string, path = '/user') => {
  const response = await as(person).fetch(path, { headers: { Sudo: name } });
  return { status: response.status, body: await response.json() };
};

describe('sudo', () => {
  test.each([
    ['a username', 'ada'],
    ['a username in other case', 'ADA'],
    ['an id', String(ada.id)],
  ])('an administrator acts as a user given by %s', async (_label, name) => {
    expect(await administrator.get(`/user?sudo=${name}`)).toEqual(userResponse(ada));
    expect(await requestAs(root, name)).toEqual(userResponse(ada));
  });

  test('the parameter can be in the body and overrides the header', async () => {
    const response = await administrator.fetch('/projects', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Sudo: 'bob' },
      body: JSON.stringify({ name: 'created', sudo: ada.id }),
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ path_with_namespace: 'ada/created' });
  });

  test('an administrator can name themselves', async () => {
    expect(await administrator.get('/user?sudo=root')).toEqual(userResponse(root, true));
  });

  test('the permissions of the other user apply', async () => {
    expect(await requestAs(root, 'bob', `/projects/${app}`)).toEqual(refused.missing('Project'));
    expect(await requestAs(root, 'bob', '/users/1/impersonation_tokens')).toEqual(
      refused.forbidden,
    );
    expect((await requestAs(root, 'ada', `/projects/${app}`)).status).toBe(200);
  });

  test('the private token is shown with sudo only', async () => {
    expect((await administrator.get('/user')).body).not.toHaveProperty('private_token');
    expect((await as(ada).get('/user')).body).not.toHaveProperty('private_token');
  });

  test('other users get 403', async () => {
    const refusal = {
      status: 403,
      body: { message: '403 Forbidden - Must be admin to use sudo' },
    };
    expect(await as(ada).get('/user?sudo=ada')).toEqual(refusal);
    expect(await requestAs(ada, 'root', '/version')).toEqual(refusal);
    expect(await requestAs(ada, 'unknown-user')).toEqual(refusal);
  });

  test('anonymous users get 401', async () => {
    expect(await as(null).get('/projects?sudo=ada')).toEqual(refused.anonymous);
    expect(await requestAs(null, 'root', '/projects')).toEqual(refused.anonymous);
  });

  test.each(['unknown-user', '999999', '99999999999', '0', 'a b', '%'])(
    'the unknown user %s gives 404',
    async (name) => {
      const query = new URLSearchParams({ sudo: name });
      expect(await administrator.get(`/user?${query}`)).toEqual(unknown(name));
    },
  );

  test('an empty name gives 404 instead of acting as the administrator', async () => {
    expect(await administrator.get('/user?sudo=')).toEqual(unknown(''));
    expect(await requestAs(root, '')).toEqual(unknown(''));
  });

  test('an invalid name is rejected', async () => {
    expect(await administrator.get('/user?sudo[]=ada')).toEqual(
      refused.parameter('sudo is invalid'),
    );
    expect(await administrator.get('/user?sudo=a%00b')).toMatchObject({ status: 404 });
    const long = await administrator.get(`/user?sudo=${'x'.repeat(1000)}`);
    expect(long).toEqual(unknown('x'.repeat(255)));
  });

  test('a blocked user gives 404 immediately', async () => {
    expect((await administrator.get('/user?sudo=bob')).status).toBe(200);
    await db.user.update({ where: { id: bob.id }, data: { state: 'blocked' } });
    await expect.poll(() => administrator.get('/user?sudo=bob')).toEqual(unknown('bob'));
    await db.user.update({ where: { id: bob.id }, data: { state: 'active' } });
    await expect.poll(async () => (await administrator.get('/user?sudo=bob')).status).toBe(200);
  });

  test('a username taken over by another user names that user', async () => {
    const eve = await seed.user('eve');
    const mallory = await seed.user('mallory');
    expect(await administrator.get('/user?sudo=eve')).toEqual(userResponse(eve));
    const rename = (id: number, username: string) =>
      db.user.update({ where: { id }, data: { username, usernameKey: username } });
    await rename(eve.id, 'eve-before');
    await rename(mallory.id, 'eve');
    await expect
      .poll(async () => (await administrator.get('/user?sudo=eve')).body)
      .toMatchObject({ id: mallory.id });
  });

  test('a token without the scope api gets 401', async () => {
    const make = async (scopes: readonly string[]) => {
      const { body } = await administrator.post(`/users/${root.id}/impersonation_tokens`, {
        name: 'x',
        scopes,
      });
      return { ...root, token: (body as { token: string }).token };
    };
    expect(await as(await make(['read_user', 'openid'])).get('/user?sudo=ada')).toEqual(
      refused.anonymous,
    );
    expect(await as(await make(['api'])).get('/user?sudo=ada')).toEqual(userResponse(ada));
  });

  test('/graphql supports sudo', async () => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Private-Token': root.token,
        Sudo: 'ada',
      },
      body: JSON.stringify({
        query: '{ currentUser { username email } admin { runners { total } } }',
      }),
    });
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    expect(data).toEqual({ currentUser: { username: 'ada', email: ada.email }, admin: null });
  });
});
