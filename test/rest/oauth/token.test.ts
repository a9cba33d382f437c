import { describe, expect, test } from 'vitest';
import { basicOf, clientOf, oauthError, oauthOf, tokenShape } from '../../support/oauth.ts';
import { refused } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const testWorld = await world();
const { seed, root, url, db, as } = testWorld;
const oauth = oauthOf(testWorld);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const robot = await oauth.application(bob);
const reader = await oauth.application(bob, { scopes: ['read_user'] });
const publicClient = await oauth.application(bob, { isConfidential: false });

const password = { grant_type: 'password', username: 'ada', password: ada.password };
const success = (scope = 'api') => ({ status: 200, body: tokenShape(scope), challenge: null });
const statusOf = async (token: string) => (await as({ ...ada, token }).get('/user')).status;

describe('POST /oauth/token (password)', () => {
  test('a JSON body without an application is enough', async () => {
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(password),
    });
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Pragma')).toBe('no-cache');
    expect(await oauth.answerOf(response)).toEqual(success());
  });

  test.each([
    ['a form', {}, 'api'],
    ['an e-mail address', { username: ada.email }, 'api'],
    ['a username in another case', { username: 'ADA' }, 'api'],
    ['a scope', { scope: 'read_user' }, 'read_user'],
    ['several scopes', { scope: ' openid  read_user openid ' }, 'openid read_user'],
    ['an application', clientOf(robot), 'api'],
    ['an application without api', clientOf(reader), 'read_user'],
    ['a public client', { client_id: publicClient.uid }, 'api'],
  ])('%s is accepted', async (_name, more, scope) => {
    const response = await oauth.post('/token', { ...password, ...more });
    expect(response).toEqual(success(scope));
    const { access_token } = response.body as { access_token: string };
    expect(await statusOf(access_token)).toBe(200);
  });

  test.each([
    ['a wrong password', { password: 'wrong' }, 'invalid_grant'],
    ['an unknown username', { username: 'unknown' }, 'invalid_grant'],
    ['no password', { password: '' }, 'invalid_request'],
    ['no name', { username: '' }, 'invalid_request'],
    ['a wrong secret', { client_id: robot.uid, client_secret: 'x' }, 'invalid_client'],
    ['no secret', { client_id: robot.uid }, 'invalid_client'],
    ['an unknown application', { client_id: 'x' }, 'invalid_client'],
    ['an unknown scope', { scope: 'api sudo' }, 'invalid_scope'],
    ['a scope the application lacks', { ...clientOf(reader), scope: 'api' }, 'invalid_scope'],
  ] as const)('%s is rejected', async (_name, more, error) => {
    const response = await oauth.post('/token', { ...password, ...more });
    expect(response).toEqual(oauthError(error));
  });

  test('a blocked user and a user with two-factor authentication are rejected', async () => {
    const eve = await seed.user('eve');
    const grant = { ...password, username: 'eve', password: eve.password };
    await as(root).post(`/users/${eve.id}/block`);
    expect(await oauth.post('/token', grant)).toEqual(oauthError('invalid_grant'));
    await as(root).post(`/users/${eve.id}/unblock`);
    await db.user.update({ where: { id: eve.id }, data: { isTwoFactorEnabled: true } });
    expect(await oauth.post('/token', grant)).toEqual(oauthError('invalid_grant'));
  });

  test('an administrator can disable the password grant', async () => {
    await as(root).put('/application/settings', { password_authentication_enabled: false });
    expect(await oauth.post('/token', password)).toEqual(oauthError('invalid_grant'));
    await as(root).put('/application/settings', { password_authentication_enabled: true });
    expect(await oauth.post('/token', password)).toEqual(success());
  });

  test('too many wrong passwords get 429', async () => {
    await seed.user('victim');
    const guess = { grant_type: 'password', username: 'victim', password: 'wrong' };
    let response = await oauth.post('/token', guess);
    for (let tries = 0; tries < 60 && response.status === 401; tries += 1) {
      response = await oauth.post('/token', guess);
    }
    expect(response).toEqual({
      status: 429,
      body: {
        error: 'temporarily_unavailable',
        error_description: 'Too many attempts. Wait a while and try again.',
      },
      challenge: null,
    });
  });
});

describe('POST /oauth/token (client_credentials)', () => {
  const grant = { grant_type: 'client_credentials' };

  test('an application gets a token without a user and without a refresh token', async () => {
    const { refresh_token: _, ...body } = tokenShape();
    const response = await oauth.post('/token', grant, basicOf(robot));
    expect(response).toEqual({ status: 200, body, challenge: null });
    const { access_token: token } = response.body as { access_token: string };
    const client = as({ ...ada, token });
    expect(await client.get('/user')).toEqual(refused.anonymous);
    expect(await client.post('/projects', { name: 'x' })).toEqual(refused.anonymous);
    expect(await client.get('/projects')).toEqual({ status: 200, body: [] });
    expect(await client.get('/user?sudo=root')).toEqual(refused.anonymous);
  });

  test.each([
    ['no application', {}, 'invalid_client'],
    ['no secret', { client_id: robot.uid }, 'invalid_client'],
    ['a public client', { client_id: publicClient.uid }, 'unauthorized_client'],
    ['a scope it lacks', { ...clientOf(reader), scope: 'api' }, 'invalid_scope'],
  ] as const)('%s is rejected', async (_name, client, error) => {
    expect(await oauth.post('/token', { ...grant, ...client })).toEqual(oauthError(error));
  });
});

describe('POST /oauth/token (refresh_token)', () => {
  const refresh = (refresh_token: string, more: Record<string, string> = {}) =>
    oauth.post('/token', { grant_type: 'refresh_token', refresh_token, ...more });

  test('returns a new pair and revokes the previous one', async () => {
    const previous = await oauth.ofPassword(ada);
    expect(await statusOf(previous.access_token)).toBe(200);
    const response = await refresh(previous.refresh_token, { redirect_uri: 'ignored' });
    expect(response).toEqual(success());
    const { access_token } = response.body as { access_token: string };
    expect(access_token).not.toBe(previous.access_token);
    expect(await statusOf(access_token)).toBe(200);
    expect(await statusOf(previous.access_token)).toBe(401);
  });

  test('reuse of a refresh token revokes all tokens derived from it', async () => {
    const first = await oauth.ofPassword(ada);
    const { body } = await refresh(first.refresh_token);
    const second = body as { access_token: string; refresh_token: string };
    expect(await statusOf(second.access_token)).toBe(200);
    expect(await refresh(first.refresh_token)).toEqual(oauthError('invalid_grant'));
    expect(await statusOf(second.access_token)).toBe(401);
    expect(await refresh(second.refresh_token)).toEqual(oauthError('invalid_grant'));
  });

  test('one of several concurrent requests succeeds', async () => {
    const { refresh_token } = await oauth.ofPassword(ada);
    const responses = await Promise.all([1, 2, 3, 4].map(() => refresh(refresh_token)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
  });

  test('is valid after the access token has expired', async () => {
    const { access_token, refresh_token } = await oauth.ofPassword(ada);
    await db.oauthToken.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    await expect.poll(() => statusOf(access_token)).toBe(401);
    expect(await refresh(refresh_token)).toEqual(success());
  });

  test('creating a token deletes tokens that expired long ago', async () => {
    const { refresh_token } = await oauth.ofPassword(bob);
    await refresh(refresh_token);
    await db.oauthToken.updateMany({
      where: { userId: bob.id },
      data: { expiresAt: new Date(Date.now() - 40 * 86_400_000) },
    });
    await oauth.ofPassword(bob);
    const rows = await db.oauthToken.findMany({ where: { userId: bob.id } });
    expect(rows.map(({ revokedAt }) => revokedAt)).toEqual([null, null]);
    await db.oauthToken.updateMany({
      where: { userId: bob.id },
      data: { expiresAt: new Date(Date.now() - 400 * 86_400_000) },
    });
    await oauth.ofPassword(bob);
    expect(await db.oauthToken.count({ where: { userId: bob.id } })).toBe(1);
  });

  test('can narrow the scope, never widen it', async () => {
    const { refresh_token } = await oauth.ofPassword(ada, { scope: 'read_user openid' });
    expect(await refresh(refresh_token, { scope: 'api' })).toEqual(oauthError('invalid_scope'));
    expect(await refresh(refresh_token, { scope: 'openid' })).toEqual(success('openid'));
  });

  test('the application must authenticate', async () => {
    const { refresh_token } = await oauth.ofPassword(ada, clientOf(robot));
    expect(await refresh(refresh_token)).toEqual(oauthError('invalid_client'));
    expect(await refresh(refresh_token, { client_id: robot.uid })).toEqual(
      oauthError('invalid_client'),
    );
    expect(await refresh(refresh_token, clientOf(reader))).toEqual(oauthError('invalid_grant'));
    expect(await refresh(refresh_token, { client_id: publicClient.uid })).toEqual(
      oauthError('invalid_grant'),
    );
    expect(await refresh(refresh_token, clientOf(robot))).toEqual(success());
  });

  test('of a blocked user gives invalid_grant', async () => {
    const zoe = await seed.user('zoe');
    const { refresh_token } = await oauth.ofPassword(zoe);
    await as(root).post(`/users/${zoe.id}/block`);
    expect(await refresh(refresh_token)).toEqual(oauthError('invalid_grant'));
  });

  test.each([
    ['no token', '', 'invalid_request'],
    ['an unknown token', 'x'.repeat(64), 'invalid_grant'],
  ] as const)('%s is rejected', async (_name, token, error) => {
    expect(await refresh(token)).toEqual(oauthError(error));
  });

  test('an access token is not accepted', async () => {
    const { access_token } = await oauth.ofPassword(ada);
    expect(await refresh(access_token)).toEqual(oauthError('invalid_grant'));
  });
});

describe('malformed requests', () => {
  const send = async (init: RequestInit, query = '') =>
    oauth.answerOf(await fetch(`${url}/oauth/token${query}`, { method: 'POST', ...init }));
  const form = new URLSearchParams(password).toString();
  const json = { 'Content-Type': 'application/json' };
  const encoded = { 'Content-Type': 'application/x-www-form-urlencoded' };

  test.each([
    ['nothing', {}],
    ['no grant type', { headers: encoded, body: form.replace('grant_type', 'type') }],
    ['a parameter twice', { headers: encoded, body: `${form}&username=bob` }],
    ['a list', { headers: json, body: JSON.stringify({ ...password, username: ['ada'] }) }],
    ['an object', { headers: json, body: JSON.stringify({ ...password, scope: { a: 1 } }) }],
    ['NUL', { headers: json, body: JSON.stringify({ ...password, username: 'ada\0' }) }],
    ['a lone surrogate', { headers: json, body: `{"grant_type":"password","username":"\\ud800"}` }],
    ['broken encoding', { headers: encoded, body: `${form}&scope=%E0%A4%A` }],
    ['broken JSON', { headers: json, body: '{"grant_type":' }],
    ['JSON that is no object', { headers: json, body: '[1]' }],
    ['another type', { headers: { 'Content-Type': 'text/xml' }, body: '<a/>' }],
    ['an oversized name', { headers: encoded, body: `${form}${'x'.repeat(5_000)}` }],
    ['an oversized body', { headers: encoded, body: `${form}&x=${'x'.repeat(5 * 2 ** 20)}` }],
  ] as const)('%s is an invalid request', async (_name, init) => {
    expect(await send(init)).toEqual(oauthError('invalid_request'));
  });

  test('a parameter in both the body and the query is a repeated parameter', async () => {
    const init = { headers: encoded, body: form };
    expect(await send(init, '?username=bob')).toEqual(oauthError('invalid_request'));
    expect(await send(init, '?scope=read_user')).toEqual(success('read_user'));
  });

  test('an application authenticates in one way only', async () => {
    const headers = basicOf(robot);
    expect(await oauth.post('/token', { ...password, ...clientOf(robot) }, headers)).toEqual(
      oauthError('invalid_request'),
    );
    expect(
      await oauth.post('/token', { ...password, client_id: publicClient.uid }, headers),
    ).toEqual(oauthError('invalid_request'));
    expect(await oauth.post('/token', { ...password, client_id: robot.uid }, headers)).toEqual(
      success(),
    );
  });

  test.each([
    ['no colon', Buffer.from('nocolon').toString('base64')],
    ['no base64', '***'],
    ['nothing', ''],
    ['broken encoding', Buffer.from('%E0%A4%A:x').toString('base64')],
    ['a very long value', 'A'.repeat(9_000)],
  ])('a Basic header with %s gives invalid_client', async (_name, credentials) => {
    const headers = { Authorization: `Basic ${credentials}` };
    expect(await oauth.post('/token', password, headers)).toEqual(oauthError('invalid_client'));
  });

  test.each([['magic'], ['implicit'], ['__proto__']])(
    '%s is not a grant type',
    async (grant_type) => {
      expect(await oauth.post('/token', { grant_type })).toEqual(
        oauthError('unsupported_grant_type'),
      );
    },
  );

  test.each([
    ['GET', '/token', 'POST'],
    ['PUT', '/token', 'POST'],
    ['DELETE', '/revoke', 'POST'],
    ['GET', '/introspect', 'POST'],
    ['POST', '/token/info', 'GET'],
  ])('%s %s is not allowed', async (method, path, allowed) => {
    const response = await fetch(`${url}/oauth${path}`, { method });
    expect(response.headers.get('Allow')).toContain(allowed);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(await oauth.answerOf(response)).toMatchObject({
      status: 405,
      body: { error: '405 Not Allowed' },
    });
  });

  test('these endpoints ignore an invalid API token', async () => {
    const headers = { Authorization: 'Bearer nonsense', 'Private-Token': 'nonsense' };
    expect(await oauth.post('/token', password, headers)).toEqual(success());
  });
});
