import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');

async function ask(person: Pick<TestUser, 'token'> | null, query: string, variables: object = {}) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      ...(person && { 'Private-Token': person.token }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, body: (await response.json()) as { data: unknown } };
}

const refusal = (code: string, message: string, fields?: object) => ({
  status: 200,
  body: {
    data: null,
    errors: [expect.objectContaining({ message, extensions: { code, ...(fields && { fields }) } })],
  },
});

const create = `mutation ($name: String!, $scopes: [String!]!, $expiresAt: Date) {
  createPersonalAccessToken(name: $name, scopes: $scopes, expiresAt: $expiresAt) {
    token
    personalAccessToken { id name scopes createdAt expiresAt isRevoked isActive }
  }
}`;
const revoke = `mutation ($id: Int!) {
  revokePersonalAccessToken(id: $id) { id isRevoked isActive }
}`;
const list = `query ($page: Int) {
  viewer { personalAccessTokens(page: $page, perPage: 2) { total nodes { id name isActive } } }
}`;

interface Created {
  readonly token: string;
  readonly personalAccessToken: { readonly id: number };
}

async function made(person: TestUser, name = 'laptop', scopes: readonly string[] = ['api']) {
  const { body } = await ask(person, create, { name, scopes });
  return (body.data as { createPersonalAccessToken: Created }).createPersonalAccessToken;
}

describe('createPersonalAccessToken', () => {
  test('somebody makes a token, which is shown once and kept as a digest only', async () => {
    const given = { name: 'laptop', scopes: ['api', 'openid'], expiresAt: '2099-01-31' };
    const { body } = await ask(ada, create, given);
    expect(body).toEqual({
      data: {
        createPersonalAccessToken: {
          token: expect.stringMatching(/^[\w-]{20}$/),
          personalAccessToken: {
            id: expect.any(Number),
            ...given,
            createdAt: instant,
            isRevoked: false,
            isActive: true,
          },
        },
      },
    });
    const { token, personalAccessToken } = (body.data as { createPersonalAccessToken: Created })
      .createPersonalAccessToken;
    const row = await db.accessToken.findUniqueOrThrow({ where: { id: personalAccessToken.id } });
    expect(row).toMatchObject({ kind: 'personal', userId: ada.id, sealed: null });
    expect(Buffer.from(row.digest).toString('latin1')).not.toContain(token);
    expect((await as({ ...ada, token }).get('/user')).body).toMatchObject({ id: ada.id });
  });

  test('nobody else has tokens', async () => {
    const given = { name: 'x', scopes: ['api'] };
    expect(await ask(null, create, given)).toEqual(refusal('UNAUTHENTICATED', 'Unauthorized'));
  });

  test('a token that is not good for everything makes no others', async () => {
    const { token } = await made(ada, 'reader', ['read_user']);
    expect(await ask({ token }, create, { name: 'x', scopes: ['api'] })).toEqual({
      status: 401,
      body: { message: '401 Unauthorized' },
    });
  });

  test.each([
    [{ name: ' ', scopes: ['api'] }, { name: ["can't be blank"] }],
    [
      { name: 'é'.repeat(256), scopes: ['api'] },
      { name: ['is too long (maximum is 255 characters)'] },
    ],
    [{ name: 'x', scopes: [] }, { scopes: ["can't be blank"] }],
    [{ name: 'x', scopes: ['sudo'] }, { scopes: ['can only contain available scopes'] }],
    [
      { name: 'x', scopes: ['api'], expiresAt: '2017-01-01' },
      { expires_at: ['must be a day in the future'] },
    ],
  ])('%o is refused', async (given, fields) => {
    expect(await ask(ada, create, given)).toEqual(refusal('INVALID', 'Invalid input', fields));
  });
});

describe('viewer { personalAccessTokens }', () => {
  test('somebody lists their own, page by page, and no other kind', async () => {
    const eve = await seed.user('eve');
    const names = ['one', 'two', 'three'];
    const ids: number[] = [];
    for (const name of names) ids.push((await made(eve, name)).personalAccessToken.id);
    await as(root).post(`/users/${eve.id}/impersonation_tokens`, { name: 'x', scopes: ['api'] });
    const rows = names.map((name, place) => ({ id: ids[place], name, isActive: true }));
    const page = (nodes: unknown) => ({
      data: { viewer: { personalAccessTokens: { total: 3, nodes } } },
    });
    expect((await ask(eve, list)).body).toEqual(page(rows.slice(0, 2)));
    expect((await ask(eve, list, { page: 2 })).body).toEqual(page(rows.slice(2)));
  });

  test('other people’s are nobody’s business', async () => {
    await made(ada);
    for (const person of [bob, root]) {
      const query = `{ user(id: ${ada.id}) { personalAccessTokens { total } } }`;
      expect((await ask(person, query)).body).toEqual({
        data: { user: { personalAccessTokens: null } },
      });
    }
  });
});

describe('revokePersonalAccessToken', () => {
  test('it lets nobody in any more, and stays listed', async () => {
    const { token, personalAccessToken } = await made(bob);
    const { id } = personalAccessToken;
    expect((await as({ ...bob, token }).get('/user')).status).toBe(200);
    expect((await ask(bob, revoke, { id })).body).toEqual({
      data: { revokePersonalAccessToken: { id, isRevoked: true, isActive: false } },
    });
    expect(await as({ ...bob, token }).get('/user')).toEqual(refused.anonymous);
    expect((await ask(bob, list)).body).toMatchObject({
      data: { viewer: { personalAccessTokens: { nodes: [{ id, isActive: false }] } } },
    });
  });

  test('only one’s own, and only this kind', async () => {
    const { personalAccessToken } = await made(ada);
    const row = await db.accessToken.findFirstOrThrow({
      where: { userId: bob.id, kind: 'private' },
    });
    const missing = refusal('NOT_FOUND', 'Personal Access Token Not Found');
    expect(await ask(bob, revoke, { id: personalAccessToken.id })).toEqual(missing);
    expect(await ask(root, revoke, { id: personalAccessToken.id })).toEqual(missing);
    expect(await ask(bob, revoke, { id: row.id })).toEqual(missing);
    expect(await ask(null, revoke, { id: 1 })).toEqual(refusal('UNAUTHENTICATED', 'Unauthorized'));
  });
});

describe('resetPrivateToken', () => {
  const reset = 'mutation { resetPrivateToken }';

  test('the old one is worth nothing, the new one is what POST /session gives', async () => {
    const mallory = await seed.user('mallory');
    const { body } = await ask(mallory, reset);
    const { resetPrivateToken: token } = body.data as { resetPrivateToken: string };
    expect(await as(mallory).get('/user')).toEqual(refused.anonymous);
    expect((await as({ ...mallory, token }).get('/user')).status).toBe(200);
    const { username: login, password } = mallory;
    const session = await as(null).post('/session', { login, password });
    expect(session.body).toMatchObject({ private_token: token });
  });

  test('many at once leave one', async () => {
    const trent = await seed.user('trent');
    const { token } = await made(trent);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ token }, reset)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const where = { userId: trent.id, kind: 'private', revokedAt: null } as const;
    expect(await db.accessToken.count({ where })).toBe(1);
  });

  test('who is nobody has none', async () => {
    expect(await ask(null, reset)).toEqual(refusal('UNAUTHENTICATED', 'Unauthorized'));
  });
});
