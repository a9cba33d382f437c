import { describe, expect, test } from 'vitest';
import { basicOf, clientOf, oauthError, oauthOf } from '../../support/oauth.ts';
import { world } from '../../support/world.ts';

const testWorld = await world();
const { seed, url, db, as } = testWorld;
const oauth = oauthOf(testWorld);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const robot = await oauth.application(bob);
const other = await oauth.application(bob);
const publicClient = await oauth.application(bob, { isConfidential: false });

const seconds = expect.any(Number);
const statusOf = async (token: string) => (await as({ ...ada, token }).get('/user')).status;

describe('GET /oauth/token/info', () => {
  const info = async (path: string, headers: Record<string, string> = {}) =>
    oauth.answerOf(await fetch(`${url}/oauth/token/info${path}`, { headers }));
  const tokenInfo = (
    scopes: readonly string[],
    uid: string | null,
    userId: number | null = ada.id,
  ) => ({
    status: 200,
    body: {
      resource_owner_id: userId,
      scopes,
      expires_in_seconds: seconds,
      application: { uid },
      created_at: seconds,
    },
    challenge: null,
  });

  test('returns the scopes, user and application of a token', async () => {
    const { access_token } = await oauth.ofPassword(ada, {
      ...clientOf(robot),
      scope: 'read_user',
    });
    const expected = tokenInfo(['read_user'], robot.uid);
    expect(await info('', { Authorization: `Bearer ${access_token}` })).toEqual(expected);
    expect(await info(`?access_token=${access_token}`)).toEqual(expected);
    expect(await info(`?bearer_token=${access_token}`)).toEqual(expected);
    const { body } = await info(`?access_token=${access_token}`);
    const { expires_in_seconds } = body as { expires_in_seconds: number };
    expect(expires_in_seconds).toBeGreaterThan(7100);
    expect(expires_in_seconds).toBeLessThanOrEqual(7200);
  });

  test('a token from a password alone has no application', async () => {
    const { access_token } = await oauth.ofPassword(ada);
    expect(await info(`?access_token=${access_token}`)).toEqual(tokenInfo(['api'], null));
  });

  test('a client-credentials token has no user', async () => {
    const { body } = await oauth.post('/token', {
      grant_type: 'client_credentials',
      ...clientOf(robot),
    });
    const { access_token } = body as { access_token: string };
    expect(await info(`?access_token=${access_token}`)).toEqual(
      tokenInfo(['api'], robot.uid, null),
    );
  });

  test.each([
    ['no token', ''],
    ['an unknown token', '?access_token=nonsense'],
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

  test('an expired token and a refresh token are invalid requests', async () => {
    const { access_token, refresh_token } = await oauth.ofPassword(ada);
    expect(await info(`?access_token=${refresh_token}`)).toEqual(oauthError('invalid_request'));
    await db.oauthToken.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await info(`?access_token=${access_token}`)).toEqual(oauthError('invalid_request'));
  });
});

describe('POST /oauth/revoke', () => {
  const done = { status: 200, body: {}, challenge: null };

  test('revokes an access token and its refresh token', async () => {
    const { access_token, refresh_token } = await oauth.ofPassword(ada);
    expect(await statusOf(access_token)).toBe(200);
    expect(await oauth.post('/revoke', { token: access_token })).toEqual(done);
    expect(await statusOf(access_token)).toBe(401);
    expect(await oauth.post('/token', { grant_type: 'refresh_token', refresh_token })).toEqual(
      oauthError('invalid_grant'),
    );
  });

  test('revokes the access token of a given refresh token', async () => {
    const { access_token, refresh_token } = await oauth.ofPassword(ada);
    expect(await statusOf(access_token)).toBe(200);
    const form = { token: refresh_token, token_type_hint: 'refresh_token' };
    expect(await oauth.post('/revoke', form)).toEqual(done);
    expect(await statusOf(access_token)).toBe(401);
  });

  test('always responds 200, and revokes only tokens of the authenticated application', async () => {
    const { access_token: token } = await oauth.ofPassword(ada, clientOf(robot));
    for (const client of [
      {},
      { client_id: robot.uid },
      { ...clientOf(robot), client_secret: 'wrong' },
      clientOf(other),
      { client_id: publicClient.uid },
    ]) {
      expect(await oauth.post('/revoke', { token, ...client })).toEqual(done);
      expect(await statusOf(token)).toBe(200);
    }
    expect(await oauth.post('/revoke', { token: 'nonsense' })).toEqual(done);
    expect(await oauth.post('/revoke', {})).toEqual(done);
    expect(await oauth.post('/revoke', { token }, basicOf(robot))).toEqual(done);
    expect(await statusOf(token)).toBe(401);
  });

  test('a token of a public client is revoked without a secret', async () => {
    const { access_token: token } = await oauth.ofPassword(ada, { client_id: publicClient.uid });
    expect(await oauth.post('/revoke', { token, client_id: publicClient.uid })).toEqual(done);
    expect(await statusOf(token)).toBe(401);
  });
});

describe('POST /oauth/introspect', () => {
  const inactive = { status: 200, body: { active: false }, challenge: null };
  const activeToken = {
    active: true,
    scope: 'api',
    client_id: robot.uid,
    username: 'ada',
    sub: String(ada.id),
    exp: seconds,
    iat: seconds,
    iss: url,
  };

  test('describes the tokens of the authenticated application', async () => {
    const { access_token, refresh_token } = await oauth.ofPassword(ada, clientOf(robot));
    expect(await oauth.post('/introspect', { token: access_token }, basicOf(robot))).toEqual({
      status: 200,
      body: { ...activeToken, token_type: 'bearer' },
      challenge: null,
    });
    const form = { token: refresh_token, ...clientOf(robot) };
    expect(await oauth.post('/introspect', form)).toEqual({
      status: 200,
      body: activeToken,
      challenge: null,
    });
  });

  test('names no user for a client-credentials token', async () => {
    const grant = { grant_type: 'client_credentials', ...clientOf(robot) };
    const { access_token: token } = (await oauth.post('/token', grant)).body as {
      access_token: string;
    };
    const { username: _, sub: __, ...rest } = activeToken;
    const { body } = await oauth.post('/introspect', { token, ...clientOf(robot) });
    expect(body).toEqual({ ...rest, token_type: 'bearer' });
  });

  test('any other token is inactive', async () => {
    const { access_token } = await oauth.ofPassword(ada, clientOf(robot));
    const withoutApplication = await oauth.ofPassword(ada);
    const introspect = (token: string, client = robot) =>
      oauth.post('/introspect', { token, ...clientOf(client) });
    expect(await introspect(access_token, other)).toEqual(inactive);
    expect(await introspect(withoutApplication.access_token)).toEqual(inactive);
    expect(await introspect('nonsense')).toEqual(inactive);
    await oauth.post('/revoke', { token: access_token, ...clientOf(robot) });
    expect(await introspect(access_token)).toEqual(inactive);
  });

  test.each([
    ['an anonymous client', {}],
    ['an id without a secret', { client_id: robot.uid }],
    ['a wrong secret', { client_id: robot.uid, client_secret: 'x' }],
    ['a public client', { client_id: publicClient.uid }],
  ])('%s gets invalid_client', async (_name, client) => {
    const { access_token: token } = await oauth.ofPassword(ada, clientOf(robot));
    expect(await oauth.post('/introspect', { token, ...client })).toEqual(
      oauthError('invalid_client'),
    );
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  test('lists the endpoints and the supported features', async () => {
    const response = await fetch(`${url}/.well-known/oauth-authorization-server`);
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      issuer: url,
      authorization_endpoint: `${url}/oauth/authorize`,
      token_endpoint: `${url}/oauth/token`,
      revocation_endpoint: `${url}/oauth/revoke`,
      introspection_endpoint: `${url}/oauth/introspect`,
      jwks_uri: `${url}/oauth/discovery/keys`,
      scopes_supported: ['api', 'read_user', 'openid', 'profile', 'email'],
      response_types_supported: ['code', 'token', 'id_token', 'id_token token'],
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

  test('ignores credentials, also invalid ones', async () => {
    const response = await fetch(`${url}/.well-known/oauth-authorization-server`, {
      headers: { 'Private-Token': 'invalid', Authorization: 'Bearer invalid' },
    });
    expect(response.status).toBe(200);
  });

  test('allows only GET and HEAD', async () => {
    const address = `${url}/.well-known/oauth-authorization-server`;
    const response = await fetch(address, { method: 'POST' });
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('GET, HEAD');
  });
});

describe('a script of another origin', () => {
  const headers = { Origin: 'https://elsewhere.example' };

  test.each([
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/token/info',
    '/oauth/userinfo',
    '/oauth/discovery/keys',
  ])('can use %s', async (path) => {
    const preflight = await fetch(`${url}${path}`, {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe('authorization');
    const method = /info$|keys$/.test(path) ? 'GET' : 'POST';
    const response = await fetch(`${url}${path}`, { method, headers });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
  });

  test.each(['/oauth/authorize', '/oauth/introspect'])('cannot read %s', async (path) => {
    const { headers: responseHeaders } = await fetch(`${url}${path}`, {
      headers,
      redirect: 'manual',
    });
    expect(responseHeaders.get('Access-Control-Allow-Origin')).toBeNull();
  });
});
