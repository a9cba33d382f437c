import { describe, expect, test } from 'vitest';
import { instant, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, remote } = await world();
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

async function made(parameters: object = {}, holder = ada): Promise<Token> {
  const { status, body } = await administrator.post(`/users/${holder.id}/impersonation_tokens`, {
    name: 'for a robot',
    scopes: ['api'],
    ...parameters,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body as Token;
}

const shape = ({ id, token }: Token, traits: object = {}) => ({
  id,
  name: 'for a robot',
  revoked: false,
  created_at: instant,
  scopes: ['api'],
  active: true,
  expires_at: null,
  token,
  impersonation: true,
  ...traits,
});

/** Each kind of caller that is no administrator, before any parameter is looked at. */
const strangers = [
  ['an anonymous caller', null, refused.anonymous],
  ['the person', ada, refused.forbidden],
  ['another one', bob, refused.forbidden],
] as const;

describe('POST /users/:id/impersonation_tokens', () => {
  test('an administrator makes a token that acts as the person', async () => {
    const answer = await administrator.post(path, { name: 'for a robot', scopes: ['api'] });
    const { id, token } = answer.body as Token;
    expect(answer).toEqual({
      status: 201,
      body: shape({ id, token: expect.stringMatching(/^[\w-]{20}$/) as unknown as string }),
    });
    const { body } = await as({ ...ada, token }).get('/user');
    expect(body).toMatchObject({ id: ada.id });
    expect((await as({ ...ada, token }).get('/projects/ada%2Fapp')).status).toBe(200);
  });

  test('it is a password for git', async () => {
    const { token } = await made();
    const address = remote('ada/app', { ...ada, username: 'anybody', token });
    const { username, password, origin, pathname } = new URL(address);
    const response = await fetch(`${origin}${pathname}/info/refs?service=git-upload-pack`, {
      headers: { Authorization: `Basic ${btoa(`${username}:${password}`)}` },
    });
    expect(response.status).toBe(200);
  });

  test('it ends at the beginning of the day it names, and scopes are named once', async () => {
    const parameters = { scopes: 'read_user, api,api', expires_at: day(1) };
    const token = await made(parameters);
    expect(await administrator.get(`${path}/${token.id}`)).toEqual({
      status: 200,
      body: shape(token, { scopes: ['read_user', 'api'], expires_at: day(1) }),
    });
    const { expiresAt } = await db.accessToken.findUniqueOrThrow({ where: { id: token.id } });
    expect(expiresAt).toEqual(new Date(`${day(1)}T00:00:00Z`));
  });

  test.each(strangers)('%s may not', async (_who, person, refusal) => {
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
  ])('%o is refused', async (parameters, fields) => {
    expect(await administrator.post(path, parameters)).toEqual(refused.invalid(fields));
  });

  test.each([
    [{}, 'name is missing'],
    [{ name: { a: 1 }, scopes: ['api'] }, 'name is invalid'],
    [{ name: 'x', scopes: 7 }, 'scopes is invalid'],
    [{ name: 'x', scopes: ['api'], expires_at: 'tomorrow' }, 'expires_at is invalid'],
    [{ name: 'x', scopes: ['api'], expires_at: '2030-02-30' }, 'expires_at is invalid'],
  ])('%o is refused: %s', async (parameters, text) => {
    expect(await administrator.post(path, parameters)).toEqual(refused.parameter(text));
  });

  test('there must be such a user', async () => {
    const parameters = { name: 'x', scopes: ['api'] };
    for (const id of [999_999, 99_999_999_999]) {
      const answer = await administrator.post(`/users/${id}/impersonation_tokens`, parameters);
      expect(answer).toEqual(refused.missing('User'));
    }
    expect(await administrator.post('/users/ada/impersonation_tokens', parameters)).toEqual(
      refused.parameter('id is invalid'),
    );
  });
});

describe('GET /users/:id/impersonation_tokens', async () => {
  const eve = await seed.user('eve');
  const list = `/users/${eve.id}/impersonation_tokens`;
  const good = await made({}, eve);
  const revoked = await made({}, eve);
  const over = await made({}, eve);
  await administrator.delete(`${list}/${revoked.id}`);
  await db.accessToken.update({
    where: { id: over.id },
    data: { expiresAt: new Date(`${day(0)}T00:00:00Z`) },
  });
  const shown = {
    good: shape(good),
    revoked: shape(revoked, { revoked: true, active: false }),
    over: shape(over, { active: false, expires_at: day(0) }),
  };

  test.each([
    ['', [shown.good, shown.revoked, shown.over]],
    ['?state=all', [shown.good, shown.revoked, shown.over]],
    ['?state=active', [shown.good]],
    ['?state=inactive', [shown.revoked, shown.over]],
    ['?per_page=1&page=2', [shown.revoked]],
  ])('an administrator lists them%s', async (query, body) => {
    expect(await administrator.get(`${list}${query}`)).toEqual({ status: 200, body });
  });

  test('its pages are counted', async () => {
    const { headers } = await administrator.fetch(`${list}?per_page=2`);
    expect(headers.get('X-Total')).toBe('3');
    expect(headers.get('X-Total-Pages')).toBe('2');
  });

  test('other tokens of the person are not among them', async () => {
    const rows = await db.accessToken.findMany({ where: { userId: eve.id } });
    expect(rows).toHaveLength(4);
    expect(await administrator.get(`/users/${bob.id}/impersonation_tokens`)).toEqual({
      status: 200,
      body: [],
    });
  });

  test('what ran out or was revoked lets nobody in', async () => {
    for (const { token } of [revoked, over]) {
      expect(await as({ ...eve, token }).get('/version')).toEqual(refused.anonymous);
    }
  });

  test.each(strangers)('%s may not', async (_who, person, refusal) => {
    expect(await as(person).get(`${list}?state=wrong`)).toEqual(refusal);
  });

  test('a state there is not is refused, and so is a user', async () => {
    expect(await administrator.get(`${list}?state=gone`)).toEqual(
      refused.parameter('state does not have a valid value'),
    );
    expect(await administrator.get('/users/999999/impersonation_tokens')).toEqual(
      refused.missing('User'),
    );
  });
});

describe('GET /users/:id/impersonation_tokens/:impersonation_token_id', () => {
  test('an administrator sees one, the token included', async () => {
    const token = await made();
    expect(await administrator.get(`${path}/${token.id}`)).toEqual({
      status: 200,
      body: shape(token),
    });
  });

  test.each(strangers)('%s may not', async (_who, person, refusal) => {
    expect(await as(person).get(`${path}/1`)).toEqual(refusal);
  });

  test('it must be one of this person’s, and no other kind of token', async () => {
    const { id } = await made();
    const theirs = await db.accessToken.findFirstOrThrow({
      where: { userId: ada.id, kind: 'private' },
    });
    for (const other of [theirs.id, 0, 99_999_999_999]) {
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
  test('it lets nobody in from the next request on, and stays listed', async () => {
    const token = await made();
    const robot = as({ ...ada, token: token.token });
    expect((await robot.get('/user')).status).toBe(200);
    expect(await administrator.delete(`${path}/${token.id}`)).toEqual({ status: 204, body: null });
    expect(await robot.get('/user')).toEqual(refused.anonymous);
    expect(await administrator.get(`${path}/${token.id}`)).toEqual({
      status: 200,
      body: shape(token, { revoked: true, active: false }),
    });
  });

  test('twice is once', async () => {
    const { id } = await made();
    await administrator.delete(`${path}/${id}`);
    const { revokedAt } = await db.accessToken.findUniqueOrThrow({ where: { id } });
    expect(await administrator.delete(`${path}/${id}`)).toEqual({ status: 204, body: null });
    const again = await db.accessToken.findUniqueOrThrow({ where: { id } });
    expect(again.revokedAt).toEqual(revokedAt);
  });

  test.each(strangers)('%s may not', async (_who, person, refusal) => {
    expect(await as(person).delete(`${path}/1`)).toEqual(refusal);
  });

  test('there must be one', async () => {
    expect(await administrator.delete(`${path}/0`)).toEqual(refused.missing('Impersonation Token'));
    expect(await administrator.delete('/users/999999/impersonation_tokens/1')).toEqual(
      refused.missing('User'),
    );
  });
});

test('a token is stored sealed, and found by its digest', async () => {
  const { id, token } = await made();
  const row = await db.accessToken.findUniqueOrThrow({ where: { id } });
  const stored = [row.sealed, Buffer.from(row.digest).toString('latin1')].join();
  expect(stored).not.toContain(token);
});
