import { describe, expect, test } from 'vitest';
import { basicOf, clientOf, oauthError, oauthOf } from '../../support/oauth.ts';
import { world } from '../../support/world.ts';

const it = await world();
const { seed, url, db, as } = it;
const oauth = oauthOf(it);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const robot = await oauth.application(bob);
const other = await oauth.application(bob);
const open = await oauth.application(bob, { isConfidential: false });

const second = expect.any(Number);
const statusOf = async (token: string) => (await as({ ...ada, token }).get('/user')).status;

describe('GET /oauth/token/info', () => {
  const info = async (path: string, headers: Record<string, string> = {}) =>
    oauth.answerOf(await fetch(`${url}/oauth/token/info${path}`, { headers }));
  const shown = (
    scopes: readonly string[],
    uid: string | null,
    userId: number | null = ada.id,
  ) => ({
    status: 200,
    body: {
      resource_owner_id: userId,
      scopes,
      expires_in_seconds: second,
      application: { uid },
      created_at: second,
    },
    challenge: null,
  });

  test('tells what a token is good for, and for which application', async () => {
    const { access_token } = await oauth.ofPassword(ada, {
      ...clientOf(robot),
      scope: 'read_user',
    });
    const expected = shown(['read_user'], robot.uid);
    expect(await info('', { Authorization: `Bearer ${access_token}` })).toEqual(expected);
    expect(await info(`?access_token=${access_token}`)).toEqual(expected);
    expect(await info(`?bearer_token=${access_token}`)).toEqual(expected);
    const { body } = await info(`?access_token=${access_token}`);
    const { expires_in_seconds } = body as { expires_in_seconds: number };
    expect(expires_in_seconds).toBeGreaterThan(7100);
    expect(expires_in_seconds).toBeLessThanOrEqual(7200);
  });

  test('a password alone makes a token of no application', async () => {
    const { access_token } = await oauth.ofPassword(ada);
    expect(await info(`?access_token=${access_token}`)).toEqual(shown(['api'], null));
  });

  test('an application’s own is nobody’s', async () => {
    const { body } = await oauth.post('/token', {
      grant_type: 'client_credentials',
      ...clientOf(robot),
    });
    const { access_token } = body as { access_token: string };
    expect(await info(`?access_token=${access_token}`)).toEqual(shown(['api'], robot.uid, null));
  });

  test.each([
    ['no token', ''],
    ['what is none', '?access_token=nonsense'],
    ['a private token', `?access_token=${ada.token}`],
    ['two tokens', '?access_token=a&access_token=b'],
    ['NUL', '?access_token=%00'],
    ['broken encoding', '?access_token=%E0%A4%A'],
  ])('%s is an invalid request', async (_name, query) => {
    const response = await fetch(`${url}/oauth/token/info${query}`);
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Pragma')).toBe('no-cache');
    expect(await oauth.answerOf(response)).toEqual(oauthError('invalid_request'));
  });

  test('so is one that has expired, and a refresh token', async () => {
    const { access_token, refresh_token } = await oauth.ofPassword(ada);
    expect(await info(`?access_token=${refresh_token}`)).toEqual(oauthError('invalid_request'));
    await db.oauthToken.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await info(`?access_token=${access_token}`)).toEqual(oauthError('invalid_request'));
  });
});

describe('POST /oauth/revoke', () => {
  const done = { status: 200, body: {}, challenge: null };

  test('ends an access token, and what it could be refreshed by', async () => {
    const { access_token, refresh_token } = await oauth.ofPassword(ada);
    expect(await statusOf(access_token)).toBe(200);
    expect(await oauth.post('/revoke', { token: access_token })).toEqual(done);
    expect(await statusOf(access_token)).toBe(401);
    expect(await oauth.post('/token', { grant_type: 'refresh_token', refresh_token })).toEqual(
      oauthError('invalid_grant'),
    );
  });

  test('by a refresh token it ends the access token', async () => {
    const { access_token, refresh_token } = await oauth.ofPassword(ada);
    expect(await statusOf(access_token)).toBe(200);
    const form = { token: refresh_token, token_type_hint: 'refresh_token' };
    expect(await oauth.post('/revoke', form)).toEqual(done);
    expect(await statusOf(access_token)).toBe(401);
  });

  test('says the same of everything, and ends only what is the application’s', async () => {
    const { access_token: token } = await oauth.ofPassword(ada, clientOf(robot));
    for (const client of [
      {},
      { client_id: robot.uid },
      { ...clientOf(robot), client_secret: 'wrong' },
      clientOf(other),
      { client_id: open.uid },
    ]) {
      expect(await oauth.post('/revoke', { token, ...client })).toEqual(done);
      expect(await statusOf(token)).toBe(200);
    }
    expect(await oauth.post('/revoke', { token: 'nonsense' })).toEqual(done);
    expect(await oauth.post('/revoke', {})).toEqual(done);
    expect(await oauth.post('/revoke', { token }, basicOf(robot))).toEqual(done);
    expect(await statusOf(token)).toBe(401);
  });

  test('of an application that keeps no secret whoever has the token ends it', async () => {
    const { access_token: token } = await oauth.ofPassword(ada, { client_id: open.uid });
    expect(await oauth.post('/revoke', { token, client_id: open.uid })).toEqual(done);
    expect(await statusOf(token)).toBe(401);
  });
});

describe('POST /oauth/introspect', () => {
  const inactive = { status: 200, body: { active: false }, challenge: null };
  const about = {
    active: true,
    scope: 'api',
    client_id: robot.uid,
    username: 'ada',
    sub: String(ada.id),
    exp: second,
    iat: second,
    iss: url,
  };

  test('tells an application of its own tokens', async () => {
    const { access_token, refresh_token } = await oauth.ofPassword(ada, clientOf(robot));
    expect(await oauth.post('/introspect', { token: access_token }, basicOf(robot))).toEqual({
      status: 200,
      body: { ...about, token_type: 'bearer' },
      challenge: null,
    });
    const form = { token: refresh_token, ...clientOf(robot) };
    expect(await oauth.post('/introspect', form)).toEqual({
      status: 200,
      body: about,
      challenge: null,
    });
  });

  test('an application’s own names nobody', async () => {
    const grant = { grant_type: 'client_credentials', ...clientOf(robot) };
    const { access_token: token } = (await oauth.post('/token', grant)).body as {
      access_token: string;
    };
    const { username: _, sub: __, ...rest } = about;
    const { body } = await oauth.post('/introspect', { token, ...clientOf(robot) });
    expect(body).toEqual({ ...rest, token_type: 'bearer' });
  });

  test('everything else is not active', async () => {
    const { access_token } = await oauth.ofPassword(ada, clientOf(robot));
    const own = await oauth.ofPassword(ada);
    const ask = (token: string, client = robot) =>
      oauth.post('/introspect', { token, ...clientOf(client) });
    expect(await ask(access_token, other)).toEqual(inactive);
    expect(await ask(own.access_token)).toEqual(inactive);
    expect(await ask('nonsense')).toEqual(inactive);
    await oauth.post('/revoke', { token: access_token, ...clientOf(robot) });
    expect(await ask(access_token)).toEqual(inactive);
  });

  test.each([
    ['nobody', {}],
    ['a name', { client_id: robot.uid }],
    ['a wrong secret', { client_id: robot.uid, client_secret: 'x' }],
    ['an application that keeps no secret', { client_id: open.uid }],
  ])('%s is told nothing', async (_name, client) => {
    const { access_token: token } = await oauth.ofPassword(ada, clientOf(robot));
    expect(await oauth.post('/introspect', { token, ...client })).toEqual(
      oauthError('invalid_client'),
    );
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  test('tells where everything is', async () => {
    const response = await fetch(`${url}/.well-known/oauth-authorization-server`);
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      revocation_endpoint: `${url}/oauth/revoke`,
      introspection_endpoint: `${url}/oauth/introspect`,
      scopes_supported: ['api', 'read_user', 'openid'],
      response_types_supported: ['code', 'token'],
      response_modes_supported: ['query', 'fragment'],
      grant_types_supported: [
        'authorization_code',
        'implicit',
        'password',
        'client_credentials',
        'refresh_token',
      ],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'none',
      ],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      code_challenge_methods_supported: ['plain', 'S256'],
    });
  });

  test('is only read', async () => {
    const address = `${url}/.well-known/oauth-authorization-server`;
    const response = await fetch(address, { method: 'POST' });
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('GET, HEAD');
  });
});

describe('a program in a page of another origin', () => {
  const headers = { Origin: 'https://elsewhere.example' };

  test.each(['/oauth/token', '/oauth/revoke', '/oauth/token/info'])('may use %s', async (path) => {
    const asked = await fetch(`${url}${path}`, {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('Access-Control-Allow-Headers')).toBe('authorization');
    const method = path === '/oauth/token/info' ? 'GET' : 'POST';
    const answered = await fetch(`${url}${path}`, { method, headers });
    expect(answered.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(answered.headers.get('Access-Control-Allow-Credentials')).toBeNull();
  });

  test.each(['/oauth/authorize', '/oauth/introspect'])('may not read %s', async (path) => {
    const { headers: given } = await fetch(`${url}${path}`, { headers, redirect: 'manual' });
    expect(given.get('Access-Control-Allow-Origin')).toBeNull();
  });
});
