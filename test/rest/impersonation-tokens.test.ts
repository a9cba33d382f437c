import { describe, expect, test } from 'vitest';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, remote } = await world({ isOneProcess: true });
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const administrator = as(root);
await seed.project('ada/app');

const path = `/users/${ada.id}/impersonation_tokens`;
const day = (fromToday: number) =>
  new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10);

interface Token {
  readonly id: number;
  readonly token: string;
}

async function createToken(parameters: object = {}, holder = ada): Promise<Token> {
  const { status, body } = await administrator.post(`/users/${holder.id}/impersonation_tokens`, {
    name: 'for a robot',
    scopes: ['api'],
    ...parameters,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body as Token;
}

const shape = ({ id, token }: Token, overrides: object = {}) => ({
  id,
  name: 'for a robot',
  revoked: false,
  created_at: instant,
  scopes: ['api'],
  active: true,
  expires_at: null,
  token,
  impersonation: true,
  ...overrides,
});

/** Callers who are not administrators; they are refused before parameters are checked. */
const otherCallers = [
  ['an anonymous user', null, refused.anonymous],
  ['the user', ada, refused.forbidden],
  ['another user', bob, refused.forbidden],
] as const;

describe('POST /users/:id/impersonation_tokens', () => {
  test('an administrator creates a token that authenticates as the user', async () => {
    const response = await administrator.post(path, { name: 'for a robot', scopes: ['api'] });
    const { id, token } = response.body as Token;
    expect(response).toEqual({
      status: 201,
      body: shape({ id, token: expect.stringMatching(/^[\w-]{20}$/) as unknown as string }),
    });
    const { body } = await as({ ...ada, token }).get('/user');
    expect(body).toMatchObject({ id: ada.id });
    expect((await as({ ...ada, token }).get('/projects/ada%2Fapp')).status).toBe(200);
  });

  test('the token is accepted as a password by git', async () => {
    const { token } = await createToken();
    const address = remote('ada/app', { ...ada, username: 'any-name', token });
    const { username, password, origin, pathname } = new URL(address);
    const response = await fetch(`${origin}${pathname}/info/refs?service=git-upload-pack`, {
      headers: { Authorization: `Basic ${btoa(`${username}:${password}`)}` },
    });
    expect(response.status).toBe(200);
  });

  test('the token expires at the start of its expiry date, and scopes are deduplicated', async () => {
    const parameters = { scopes: 'read_user, api,api', expires_at: day(1) };
    const token = await createToken(parameters);
    expect(await administrator.get(`${path}/${token.id}`)).toEqual({
      status: 200,
      body: shape(token, { scopes: ['read_user', 'api'], expires_at: day(1) }),
    });
    const { expiresAt } = await db.accessToken.findUniqueOrThrow({ where: { id: token.id } });
    expect(expiresAt).toEqual(new Date(`${day(1)}T00:00:00Z`));
  });

  test.each(otherCallers)('is refused to %s', async (_caller, person, refusal) => {
    expect(await as(person).post(path)).toEqual(refusal);
    expect(await as(person).post('/users/x/impersonation_tokens')).toEqual(refusal);
  });

  const blank = "can't be blank";
  test.each([
    [{ name: ' ', scopes: ['api'] }, { name: [blank] }],
    [
      { name: 'x'.repeat(256), scopes: ['api'] },
      { name: ['is too long (maximum is 255 characters)'] },
    ],
    [{ name: 'x' }, { scopes: [blank] }],
    [{ name: 'x', scopes: [] }, { scopes: [blank] }],
    [{ name: 'x', scopes: '' }, { scopes: [blank] }],
    [{ name: 'x', scopes: ['api', 'admin'] }, { scopes: ['can only contain available scopes'] }],
    [{ name: 'x', scopes: ['read_registry'] }, { scopes: ['can only contain available scopes'] }],
    [
      { name: 'x', scopes: ['api'], expires_at: day(0) },
      { expires_at: ['must be a day in the future'] },
    ],
    [
      { name: '', scopes: ['no'], expires_at: '1999-12-31' },
      {
        name: [blank],
        scopes: ['can only contain available scopes'],
        expires_at: ['must be a day in the future'],
      },
    ],
  ])('rejects %o', async (parameters, fields) => {
    expect(await administrator.post(path, parameters)).toEqual(refused.invalid(fields));
  });

  test.each([
    [{}, 'name is missing'],
    [{ name: { a: 1 }, scopes: ['api'] }, 'name is invalid'],
    [{ name: 'x', scopes: 7 }, 'scopes is invalid'],
    [{ name: 'x', scopes: ['api'], expires_at: 'tomorrow' }, 'expires_at is invalid'],
    [{ name: 'x', scopes: ['api'], expires_at: '2030-02-30' }, 'expires_at is invalid'],
  ])('rejects %o: %s', async (parameters, text) => {
    expect(await administrator.post(path, parameters)).toEqual(refused.parameter(text));
  });

  test('an unknown user gives 404', async () => {
    const parameters = { name: 'x', scopes: ['api'] };
    for (const id of [999_999, 99_999_999_999]) {
      const response = await administrator.post(`/users/${id}/impersonation_tokens`, parameters);
      expect(response).toEqual(refused.missing('User'));
    }
    expect(await administrator.post('/users/ada/impersonation_tokens', parameters)).toEqual(
      refused.parameter('id is invalid'),
    );
  });
});

describe('GET /users/:id/impersonation_tokens', async () => {
  const eve = await seed.user('eve');
  const list = `/users/${eve.id}/impersonation_tokens`;
  const active = await createToken({}, eve);
  const revoked = await createToken({}, eve);
  const expired = await createToken({}, eve);
  await administrator.delete(`${list}/${revoked.id}`);
  await db.accessToken.update({
    where: { id: expired.id },
    data: { expiresAt: new Date(`${day(0)}T00:00:00Z`) },
  });
  const shown = {
    active: shape(active),
    revoked: shape(revoked, { revoked: true, active: false }),
    expired: shape(expired, { active: false, expires_at: day(0) }),
  };

  test.each([
    ['', [shown.active, shown.revoked, shown.expired]],
    ['?state=all', [shown.active, shown.revoked, shown.expired]],
    ['?state=active', [shown.active]],
    ['?state=inactive', [shown.revoked, shown.expired]],
    ['?per_page=1&page=2', [shown.revoked]],
  ])('an administrator lists the tokens%s', async (query, body) => {
    expect(await administrator.get(`${list}${query}`)).toEqual({ status: 200, body });
  });

  test('headers describe the page', async () => {
    const { headers } = await administrator.fetch(`${list}?per_page=2`);
    expect(headers.get('X-Total')).toBe('3');
    expect(headers.get('X-Total-Pages')).toBe('2');
  });

  test('other kinds of tokens are not listed', async () => {
    const rows = await db.accessToken.findMany({ where: { userId: eve.id } });
    expect(rows).toHaveLength(4);
    expect(await administrator.get(`/users/${bob.id}/impersonation_tokens`)).toEqual({
      status: 200,
      body: [],
    });
  });

  test('an expired or revoked token gives 401', async () => {
    for (const { token } of [revoked, expired]) {
      expect(await as({ ...eve, token }).get('/version')).toEqual(refused.anonymous);
    }
  });

  test.each(otherCallers)('is refused to %s', async (_caller, person, refusal) => {
    expect(await as(person).get(`${list}?state=wrong`)).toEqual(refusal);
  });

  test('rejects an unknown state and an unknown user', async () => {
    expect(await administrator.get(`${list}?state=unknown`)).toEqual(
      refused.parameter('state does not have a valid value'),
    );
    expect(await administrator.get('/users/999999/impersonation_tokens')).toEqual(
      refused.missing('User'),
    );
  });
});

describe('GET /users/:id/impersonation_tokens/:impersonation_token_id', () => {
  test('an administrator sees a token in full', async () => {
    const token = await createToken();
    expect(await administrator.get(`${path}/${token.id}`)).toEqual({
      status: 200,
      body: shape(token),
    });
  });

  test.each(otherCallers)('is refused to %s', async (_caller, person, refusal) => {
    expect(await as(person).get(`${path}/1`)).toEqual(refusal);
  });

  test('an unknown token, a token of another user and another kind of token give 404', async () => {
    const { id } = await createToken();
    const privateToken = await db.accessToken.findFirstOrThrow({
      where: { userId: ada.id, kind: 'private' },
    });
    for (const other of [privateToken.id, 0, 99_999_999_999]) {
      expect(await administrator.get(`${path}/${other}`)).toEqual(
        refused.missing('Impersonation Token'),
      );
    }
    expect(await administrator.get(`/users/${bob.id}/impersonation_tokens/${id}`)).toEqual(
      refused.missing('Impersonation Token'),
    );
    expect(await administrator.get(`/users/999999/impersonation_tokens/${id}`)).toEqual(
      refused.missing('User'),
    );
    expect(await administrator.get(`${path}/x`)).toEqual(
      refused.parameter('impersonation_token_id is invalid'),
    );
  });
});

describe('DELETE /users/:id/impersonation_tokens/:impersonation_token_id', () => {
  test('a revoked token gives 401 immediately and stays listed', async () => {
    const token = await createToken();
    const robot = as({ ...ada, token: token.token });
    expect((await robot.get('/user')).status).toBe(200);
    expect(await administrator.delete(`${path}/${token.id}`)).toEqual({ status: 204, body: null });
    expect(await robot.get('/user')).toEqual(refused.anonymous);
    expect(await administrator.get(`${path}/${token.id}`)).toEqual({
      status: 200,
      body: shape(token, { revoked: true, active: false }),
    });
  });

  test('a second revocation changes nothing', async () => {
    const { id } = await createToken();
    await administrator.delete(`${path}/${id}`);
    const { revokedAt } = await db.accessToken.findUniqueOrThrow({ where: { id } });
    expect(await administrator.delete(`${path}/${id}`)).toEqual({ status: 204, body: null });
    const again = await db.accessToken.findUniqueOrThrow({ where: { id } });
    expect(again.revokedAt).toEqual(revokedAt);
  });

  test.each(otherCallers)('is refused to %s', async (_caller, person, refusal) => {
    expect(await as(person).delete(`${path}/1`)).toEqual(refusal);
  });

  test('an unknown token or user gives 404', async () => {
    expect(await administrator.delete(`${path}/0`)).toEqual(refused.missing('Impersonation Token'));
    expect(await administrator.delete('/users/999999/impersonation_tokens/1')).toEqual(
      refused.missing('User'),
    );
  });
});

test('a token is stored encrypted, with a digest', async () => {
  const { id, token } = await createToken();
  const row = await db.accessToken.findUniqueOrThrow({ where: { id } });
  const stored = [row.sealed, Buffer.from(row.digest).toString('latin1')].join();
  expect(stored).not.toContain(token);
});
