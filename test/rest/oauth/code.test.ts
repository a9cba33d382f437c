import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type Application,
  basicOf,
  callback,
  clientOf,
  errorBody,
  hex64,
  oauthError,
  oauthOf,
  tokenShape,
} from '../../support/oauth.ts';
import { world } from '../../support/world.ts';

const testWorld = await world();
const { seed, root, url, db, as } = testWorld;
const oauth = oauthOf(testWorld);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const robot = await oauth.application(bob);
const other = await oauth.application(bob, { name: 'Other' });
const cookie = await oauth.signIn(ada);

const authorizationRequest = (application: Application = robot) => ({
  client_id: application.uid,
  redirect_uri: callback,
  response_type: 'code',
});

const exchange = (code: string, parameters: Record<string, string> = {}) =>
  oauth.post('/token', {
    ...clientOf(robot),
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    ...parameters,
  });

const userOf = async (token: string) => as({ ...ada, token }).get('/user');

describe('GET /oauth/authorize', () => {
  test('redirects an anonymous user to the sign-in page, which returns to the request', async () => {
    const response = await oauth.look('', authorizationRequest());
    const returnTo = `/oauth/authorize?${new URLSearchParams(authorizationRequest())}`;
    expect(response.status).toBe(302);
    expect(response.headers.get('Location')).toBe(
      `/users/sign_in?return_to=${encodeURIComponent(returnTo)}`,
    );
  });

  test('does not accept a private token', async () => {
    const response = await fetch(oauth.authorizeUrl(authorizationRequest()), {
      redirect: 'manual',
      headers: { 'Private-Token': ada.token },
    });
    expect(response.status).toBe(302);
  });

  test.each([
    ['an unknown application', { ...authorizationRequest(), client_id: '0'.repeat(64) }],
    ['no application', { redirect_uri: callback, response_type: 'code' }],
    ['an application id with NUL', { ...authorizationRequest(), client_id: 'a\0b' }],
    ['another address', { ...authorizationRequest(), redirect_uri: 'https://evil.example/' }],
    [
      'an address with a longer path',
      { ...authorizationRequest(), redirect_uri: `${callback}/more` },
    ],
    ['an address with a query', { ...authorizationRequest(), redirect_uri: `${callback}?a=b` }],
    [
      'an address in another case',
      { ...authorizationRequest(), redirect_uri: callback.replace('callback', 'Callback') },
    ],
    ['no address', { client_id: robot.uid, response_type: 'code' }],
    ['a javascript: address', { ...authorizationRequest(), redirect_uri: 'javascript:alert(1)' }],
    ['a very long address', { ...authorizationRequest(), redirect_uri: 'x'.repeat(9_000) }],
  ])('%s gets an error page without a redirect', async (_name, request) => {
    const response = await oauth.look(cookie, request);
    expect(response.status).toBe(400);
    expect(response.headers.get('Location')).toBeNull();
    expect(await response.text()).toMatch(/<h1>(?:Authorization failed|400 Bad Request)<\/h1>/);
  });

  test('rejects a repeated parameter', async () => {
    const address = `${oauth.authorizeUrl(authorizationRequest())}&redirect_uri=https://evil.example/`;
    const response = await fetch(address, { redirect: 'manual', headers: { Cookie: cookie } });
    expect(response.status).toBe(400);
  });

  test.each([
    ['no response type', { response_type: '' }, 'invalid_request'],
    ['another response type', { response_type: 'device' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'api sudo' }, 'invalid_scope'],
    ['a challenge that is too short', { code_challenge: 'abc' }, 'invalid_request'],
    [
      'an unknown challenge method',
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'S512' },
      'invalid_request',
    ],
    ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
  ] as const)('%s redirects to the application with an error', async (_name, more, error) => {
    const response = await oauth.look(cookie, {
      ...authorizationRequest(),
      ...more,
      state: 's p&c',
    });
    expect(response.status).toBe(302);
    const redirectTarget = new URL(response.headers.get('Location') ?? '');
    expect(redirectTarget.origin + redirectTarget.pathname).toBe(callback);
    expect(Object.fromEntries(redirectTarget.searchParams)).toEqual({
      ...errorBody(error),
      state: 's p&c',
    });
  });

  test('an application cannot request a scope that it has not registered', async () => {
    const reader = await oauth.application(bob, { scopes: ['read_user'] });
    const refused = await oauth.look(cookie, { ...authorizationRequest(reader), scope: 'api' });
    expect(refused.headers.get('Location')).toContain('error=invalid_scope');
    const shown = await oauth.look(cookie, authorizationRequest(reader));
    expect(await shown.text()).toContain('<code>read_user</code>');
  });

  test('an error of the implicit flow is in the fragment', async () => {
    const request = {
      ...authorizationRequest(),
      response_type: 'token',
      scope: 'sudo',
      state: 'x',
    };
    const to = (await oauth.look(cookie, request)).headers.get('Location') ?? '';
    const { hash, search } = new URL(to);
    expect(search).toBe('');
    expect(Object.fromEntries(new URLSearchParams(hash.slice(1)))).toEqual({
      ...errorBody('invalid_scope'),
      state: 'x',
    });
  });

  test('the content security policy limits the forms of the page to the application', async () => {
    const response = await oauth.look(cookie, authorizationRequest());
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Content-Security-Policy')).toContain(
      "form-action 'self' http: https:;",
    );
  });
});

describe('POST /oauth/authorize', () => {
  test('returns any state unchanged', async () => {
    const state = 'a\r\nSet-Cookie: x=y\r\n\r\n<b>&code=1#?%00"\'é';
    const response = await oauth.consent(cookie, { ...authorizationRequest(), state });
    expect(response.status).toBe(302);
    expect(response.headers.get('Set-Cookie') ?? '').not.toContain('x=y');
    const to = new URL(response.headers.get('Location') ?? '');
    expect(Object.fromEntries(to.searchParams)).toEqual({ code: hex64, state });
    expect(to.hash).toBe('');
  });

  test('keeps the query of a registered redirect URI', async () => {
    const redirectUri = 'https://app.example/back?tenant=1';
    const tenant = await oauth.application(bob, { redirectUris: [redirectUri] });
    const request = { ...authorizationRequest(tenant), redirect_uri: redirectUri, state: 'x' };
    const response = await oauth.consent(cookie, request);
    expect(response.headers.get('Location')).toMatch(
      /^https:\/\/app\.example\/back\?tenant=1&code=[0-9a-f]{64}&state=x$/,
    );
  });

  test('a request without the CSRF token is rejected', async () => {
    const response = await fetch(`${url}/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie },
      body: new URLSearchParams(authorizationRequest()),
    });
    expect(response.status).toBe(403);
  });

  test.each([
    ['an unknown application', { ...authorizationRequest(), client_id: 'x' }],
    ['another address', { ...authorizationRequest(), redirect_uri: 'https://evil.example/' }],
  ])('%s can be neither approved nor denied', async (_name, request) => {
    for (const more of [{}, { _method: 'delete' }]) {
      const response = await oauth.consent(cookie, request, more);
      expect(response.status).toBe(400);
      expect(response.headers.get('Location')).toBeNull();
    }
  });

  test('a denial redirects to the application with access_denied', async () => {
    const request = { ...authorizationRequest(), state: 'x' };
    const response = await oauth.consent(cookie, request, { _method: 'delete' });
    const to = new URL(response.headers.get('Location') ?? '');
    expect(Object.fromEntries(to.searchParams)).toEqual({
      ...errorBody('access_denied'),
      state: 'x',
    });
  });

  test('the implicit flow returns a token in the fragment and no refresh token', async () => {
    const request = {
      ...authorizationRequest(),
      response_type: 'token',
      state: 'x y',
      scope: 'read_user',
    };
    const response = await oauth.consent(cookie, request);
    const { hash, search } = new URL(response.headers.get('Location') ?? '');
    expect(search).toBe('');
    const fragment = Object.fromEntries(new URLSearchParams(hash.slice(1)));
    expect(fragment).toEqual({
      access_token: hex64,
      token_type: 'bearer',
      expires_in: '7200',
      state: 'x y',
    });
    expect(await userOf(fragment.access_token ?? '')).toMatchObject({ status: 200 });
    const row = await db.oauthToken.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(row).toMatchObject({ refreshDigest: null, scopes: ['read_user'] });
  });

  test('a trusted service-wide application skips the consent page', async () => {
    const traits = { isServiceWide: true, isTrusted: true };
    const trusted = await oauth.application(root, traits);
    const response = await oauth.look(cookie, authorizationRequest(trusted));
    expect(response.status).toBe(302);
    expect(response.headers.get('Location')).toMatch(/\?code=[0-9a-f]{64}$/);
  });
});

describe('POST /oauth/token (authorization_code)', () => {
  test('a code is exchanged once; a second use revokes all its tokens', async () => {
    const code = await oauth.codeFor(cookie, authorizationRequest());
    const first = await exchange(code);
    expect(first).toEqual({ status: 200, body: tokenShape(), challenge: null });
    const { access_token, refresh_token } = first.body as Record<string, string>;
    expect(await userOf(access_token ?? '')).toMatchObject({ status: 200, body: { id: ada.id } });

    expect(await exchange(code)).toEqual(oauthError('invalid_grant'));
    expect(await userOf(access_token ?? '')).toMatchObject({ status: 401 });
    const refresh = { grant_type: 'refresh_token', refresh_token: refresh_token ?? '' };
    expect(await oauth.post('/token', { ...refresh, ...clientOf(robot) })).toEqual(
      oauthError('invalid_grant'),
    );
  });

  test('of concurrent exchanges one succeeds, and its token is revoked', async () => {
    const code = await oauth.codeFor(cookie, authorizationRequest());
    const responses = await Promise.all([exchange(code), exchange(code), exchange(code)]);
    const successes = responses.filter(({ status }) => status === 200);
    expect(successes.length).toBe(1);
    for (const { body } of successes) {
      const { access_token } = body as { access_token: string };
      expect(await userOf(access_token)).toMatchObject({ status: 401 });
    }
  });

  test('codes and tokens are stored as digests only', async () => {
    const code = await oauth.codeFor(cookie, authorizationRequest());
    const { body } = await exchange(code);
    const { access_token } = body as { access_token: string };
    const rows = JSON.stringify(
      await db.$queryRaw`
      SELECT encode(digest, 'escape') AS a, encode(digest, 'hex') AS b FROM oauth_tokens
      UNION ALL SELECT encode(digest, 'escape'), encode(digest, 'hex') FROM oauth_grants`,
    );
    expect(rows).not.toContain(access_token);
    expect(rows).not.toContain(code);
  });

  test.each([
    ['another address', { redirect_uri: `${callback}/` }],
    ['a verifier without a challenge', { code_verifier: 'v'.repeat(43) }],
    ['another application', clientOf(other)],
  ])('%s gives invalid_grant and leaves the code valid', async (_name, more) => {
    const code = await oauth.codeFor(cookie, authorizationRequest());
    expect(await exchange(code, more)).toEqual(oauthError('invalid_grant'));
    expect(await exchange(code)).toMatchObject({ status: 200 });
  });

  test.each([
    ['no secret', { client_secret: '' }],
    ['a wrong secret', { client_secret: '0'.repeat(64) }],
    ['no application', { client_id: '', client_secret: '' }],
    ['an unknown application', { client_id: '0'.repeat(64) }],
    ['a secret alone', { client_id: '' }],
  ])('%s gives invalid_client', async (_name, more) => {
    const code = await oauth.codeFor(cookie, authorizationRequest());
    expect(await exchange(code, more)).toEqual(oauthError('invalid_client'));
  });

  test.each([['code'], ['redirect_uri']])('%s is required', async (name) => {
    const code = await oauth.codeFor(cookie, authorizationRequest());
    expect(await exchange(code, { [name]: '' })).toEqual(oauthError('invalid_request'));
  });

  test('a code expires after ten minutes, and codes that expired long ago are deleted', async () => {
    const code = await oauth.codeFor(cookie, authorizationRequest());
    const row = await db.oauthGrant.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBeGreaterThan(590_000);
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBeLessThan(610_000);
    const where = { id: row.id };
    await db.oauthGrant.update({ where, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await exchange(code)).toEqual(oauthError('invalid_grant'));
    await db.oauthGrant.update({ where, data: { expiresAt: new Date('2020-01-01') } });
    await oauth.codeFor(cookie, authorizationRequest());
    expect(await db.oauthGrant.findUnique({ where })).toBeNull();
  });

  test('a public client sends only its id', async () => {
    const publicClient = await oauth.application(bob, { isConfidential: false });
    const client = { client_id: publicClient.uid, client_secret: '' };
    const code = await oauth.codeFor(cookie, authorizationRequest(publicClient));
    expect(await exchange(code, { ...client, client_secret: 'x' })).toEqual(
      oauthError('invalid_client'),
    );
    expect(await exchange(code, client)).toMatchObject({ status: 200 });
  });

  test('the secret is accepted in the header, with percent-encoding', async () => {
    const code = await oauth.codeFor(cookie, authorizationRequest());
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback };
    expect(await oauth.post('/token', form, basicOf(robot))).toMatchObject({ status: 200 });
  });
});

describe('a code with a challenge', () => {
  const verifier = 'a-verifier.of~more_than_forty-three-letters-0123456789';
  const hashed = createHash('sha256').update(verifier).digest('base64url');

  test.each([
    ['S256', { code_challenge: hashed, code_challenge_method: 'S256' }],
    ['plain', { code_challenge: verifier, code_challenge_method: 'plain' }],
    ['no method, which is plain', { code_challenge: verifier }],
  ])('%s is satisfied only by the verifier', async (_name, challenge) => {
    const code = await oauth.codeFor(cookie, { ...authorizationRequest(), ...challenge });
    expect(await exchange(code)).toEqual(oauthError('invalid_grant'));
    for (const verifierGuess of ['x'.repeat(43), hashed.slice(1), 'short', `${verifier}x`]) {
      expect(await exchange(code, { code_verifier: verifierGuess })).toEqual(
        oauthError('invalid_grant'),
      );
    }
    expect(await exchange(code, { code_verifier: verifier })).toMatchObject({ status: 200 });
  });
});
