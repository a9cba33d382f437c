import { describe, expect, test } from 'vitest';
import { graphqlClientOf, numberOf, refusal } from '../support/graphql.ts';
import type { TestUser } from '../support/seed.ts';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');

const request = graphqlClientOf(url);

const create = `mutation ($name: String!, $scopes: [TokenScope!]!, $expiresAt: Date) {
  createPersonalAccessToken(input: { name: $name, scopes: $scopes, expiresAt: $expiresAt }) {
    token
    personalAccessToken { id name scopes createdAt expiresAt isRevoked isActive }
  }
}`;
const revoke = `mutation ($id: ID!) {
  revokePersonalAccessToken(input: { id: $id }) { personalAccessToken { id isRevoked isActive } }
}`;
const list = `query ($page: Int) {
  currentUser { personalAccessTokens(page: $page, perPage: 2) { total nodes { id name isActive } } }
}`;

interface Created {
  readonly token: string;
  readonly personalAccessToken: { readonly id: string };
}

async function createToken(person: TestUser, name = 'laptop', scopes: readonly string[] = ['API']) {
  const { body } = await request(person, create, { name, scopes });
  return (body.data as unknown as { createPersonalAccessToken: Created }).createPersonalAccessToken;
}

describe('createPersonalAccessToken', () => {
  test('creates a token, which is shown once and stored as a digest', async () => {
    const input = { name: 'laptop', scopes: ['API', 'OPENID'], expiresAt: '2099-01-31' };
    const { body } = await request(ada, create, input);
    expect(body).toEqual({
      data: {
        createPersonalAccessToken: {
          token: expect.stringMatching(/^[\w-]{20}$/),
          personalAccessToken: {
            id: expect.stringMatching(/^PersonalAccessToken:\d+$/),
            ...input,
            createdAt: instant,
            isRevoked: false,
            isActive: true,
          },
        },
      },
    });
    const { token, personalAccessToken } = (
      body.data as unknown as { createPersonalAccessToken: Created }
    ).createPersonalAccessToken;
    const row = await db.accessToken.findUniqueOrThrow({
      where: { id: numberOf(personalAccessToken.id) },
    });
    expect(row).toMatchObject({ kind: 'personal', userId: ada.id, sealed: null });
    expect(Buffer.from(row.digest).toString('latin1')).not.toContain(token);
    expect((await as({ ...ada, token }).get('/user')).body).toMatchObject({ id: ada.id });
  });

  test('anonymous users cannot create tokens', async () => {
    const input = { name: 'x', scopes: ['API'] };
    expect(await request(null, create, input)).toEqual(refusal('UNAUTHENTICATED', 'Unauthorized'));
  });

  test('rejects a scope that does not exist', async () => {
    const { body } = await request(ada, create, { name: 'x', scopes: ['SUDO'] });
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  });

  test('a token without the scope api cannot create tokens', async () => {
    const { token } = await createToken(ada, 'reader', ['READ_USER']);
    expect(await request({ token }, create, { name: 'x', scopes: ['API'] })).toEqual({
      status: 401,
      body: { errors: [{ message: 'Unauthorized', extensions: { code: 'UNAUTHENTICATED' } }] },
    });
  });

  test.each([
    [{ name: ' ', scopes: ['API'] }, { name: ["can't be blank"] }],
    [
      { name: 'é'.repeat(256), scopes: ['API'] },
      { name: ['is too long (maximum is 255 characters)'] },
    ],
    [{ name: 'x', scopes: [] }, { scopes: ["can't be blank"] }],
    [
      { name: 'x', scopes: ['API'], expiresAt: '2017-01-01' },
      { expiresAt: ['must be a day in the future'] },
    ],
  ])('rejects %o', async (input, fields) => {
    expect(await request(ada, create, input)).toEqual(refusal('INVALID', 'Invalid input', fields));
  });
});

describe('currentUser { personalAccessTokens }', () => {
  test('a user lists the own personal access tokens in pages', async () => {
    const eve = await seed.user('eve');
    const names = ['one', 'two', 'three'];
    const ids: string[] = [];
    for (const name of names) ids.push((await createToken(eve, name)).personalAccessToken.id);
    await as(root).post(`/users/${eve.id}/impersonation_tokens`, { name: 'x', scopes: ['api'] });
    const rows = names.map((name, place) => ({ id: ids[place], name, isActive: true }));
    const page = (nodes: unknown) => ({
      data: { currentUser: { personalAccessTokens: { total: 3, nodes } } },
    });
    expect((await request(eve, list)).body).toEqual(page(rows.slice(0, 2)));
    expect((await request(eve, list, { page: 2 })).body).toEqual(page(rows.slice(2)));
  });

  test('other users, including administrators, see null', async () => {
    await createToken(ada);
    for (const person of [bob, root]) {
      const query = `{ user(by: { id: ${ada.id} }) { personalAccessTokens { total } } }`;
      expect((await request(person, query)).body).toEqual({
        data: { user: { personalAccessTokens: null } },
      });
    }
  });
});

describe('revokePersonalAccessToken', () => {
  test('a revoked token gives 401 and stays listed', async () => {
    const { token, personalAccessToken } = await createToken(bob);
    const { id } = personalAccessToken;
    expect((await as({ ...bob, token }).get('/user')).status).toBe(200);
    expect((await request(bob, revoke, { id })).body).toEqual({
      data: {
        revokePersonalAccessToken: {
          personalAccessToken: { id, isRevoked: true, isActive: false },
        },
      },
    });
    expect(await as({ ...bob, token }).get('/user')).toEqual(refused.anonymous);
    expect((await request(bob, list)).body).toMatchObject({
      data: { currentUser: { personalAccessTokens: { nodes: [{ id, isActive: false }] } } },
    });
  });

  test('tokens of other users and other kinds of tokens give NOT_FOUND', async () => {
    const { personalAccessToken } = await createToken(ada);
    const row = await db.accessToken.findFirstOrThrow({
      where: { userId: bob.id, kind: 'private' },
    });
    const missing = refusal('NOT_FOUND', 'Personal Access Token Not Found');
    expect(await request(bob, revoke, { id: personalAccessToken.id })).toEqual(missing);
    expect(await request(root, revoke, { id: personalAccessToken.id })).toEqual(missing);
    expect(await request(bob, revoke, { id: row.id })).toEqual(missing);
    expect(await request(null, revoke, { id: 1 })).toEqual(
      refusal('UNAUTHENTICATED', 'Unauthorized'),
    );
  });
});

describe('resetPrivateToken', () => {
  const reset = `mutation ($password: String!) {
    resetPrivateToken(input: { password: $password }) { privateToken }
  }`;

  test('revokes the old token, and POST /session returns the new one', async () => {
    const mallory = await seed.user('mallory');
    const { body } = await request(mallory, reset, { password: mallory.password });
    const { privateToken: token } = (
      body.data as unknown as { resetPrivateToken: { privateToken: string } }
    ).resetPrivateToken;
    expect(await as(mallory).get('/user')).toEqual(refused.anonymous);
    expect((await as({ ...mallory, token }).get('/user')).status).toBe(200);
    const { username: login, password } = mallory;
    const session = await as(null).post('/session', { login, password });
    expect(session.body).toMatchObject({ private_token: token });
  });

  test('concurrent resets leave one active token', async () => {
    const trent = await seed.user('trent');
    const { token } = await createToken(trent);
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => request({ token }, reset, { password: trent.password })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const where = { userId: trent.id, kind: 'private', revokedAt: null } as const;
    expect(await db.accessToken.count({ where })).toBe(1);
  });

  test('anonymous users have no private token', async () => {
    expect(await request(null, reset, { password: 'secret' })).toEqual(
      refusal('UNAUTHENTICATED', 'Unauthorized'),
    );
  });

  test('needs the password of the current user, and counts wrong ones as failed sign-ins', async () => {
    const oscar = await seed.user('oscar');
    const attempt = (password: string) => request(oscar, reset, { password });
    const wrong = await attempt('wrong');
    expect(wrong.body).toMatchObject({
      data: { resetPrivateToken: null },
      errors: [{ extensions: { code: 'INVALID', fields: { password: ['is wrong'] } } }],
    });
    expect((await as(oscar).get('/user')).status).toBe(200);
    for (let n = 0; n < 30; n += 1) await attempt('wrong');
    expect((await attempt(oscar.password)).body).toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN', reason: 'throttled' } }],
    });
    expect((await as(oscar).get('/user')).status).toBe(200);
  });
});
