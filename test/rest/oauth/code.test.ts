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

const it = await world();
const { seed, root, url, db, as } = it;
const oauth = oauthOf(it);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const robot = await oauth.application(bob);
const other = await oauth.application(bob, { name: 'Other' });
const cookie = await oauth.signIn(ada);

const asking = (application: Application = robot) => ({
  client_id: application.uid,
  redirect_uri: callback,
  response_type: 'code',
});

const exchange = (code: string, more: Record<string, string> = {}) =>
  oauth.post('/token', {
    ...clientOf(robot),
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    ...more,
  });

const userOf = async (token: string) => as({ ...ada, token }).get('/user');

describe('GET /oauth/authorize', () => {
  test('a stranger is led to the sign-in page, and back from there', async () => {
    const response = await oauth.look('', asking());
    const wished = `/oauth/authorize?${new URLSearchParams(asking())}`;
    expect(response.status).toBe(302);
    expect(response.headers.get('Location')).toBe(
      `/users/sign_in?return_to=${encodeURIComponent(wished)}`,
    );
  });

  test('a token signs nobody in here', async () => {
    const response = await fetch(oauth.authorizeUrl(asking()), {
      redirect: 'manual',
      headers: { 'Private-Token': ada.token },
    });
    expect(response.status).toBe(302);
  });

  test.each([
    ['an unknown application', { ...asking(), client_id: '0'.repeat(64) }],
    ['no application', { redirect_uri: callback, response_type: 'code' }],
    ['an application id with NUL', { ...asking(), client_id: 'a\0b' }],
    ['another address', { ...asking(), redirect_uri: 'https://evil.example/' }],
    ['an address that goes on', { ...asking(), redirect_uri: `${callback}/more` }],
    ['an address with a query', { ...asking(), redirect_uri: `${callback}?a=b` }],
    ['other letters', { ...asking(), redirect_uri: callback.replace('callback', 'Callback') }],
    ['no address', { client_id: robot.uid, response_type: 'code' }],
    ['a script', { ...asking(), redirect_uri: 'javascript:alert(1)' }],
    ['an endless address', { ...asking(), redirect_uri: 'x'.repeat(9_000) }],
  ])('%s gets a page, and nobody is sent anywhere', async (_name, request) => {
    const response = await oauth.look(cookie, request);
    expect(response.status).toBe(400);
    expect(response.headers.get('Location')).toBeNull();
    expect(await response.text()).toMatch(/<h1>(?:Authorization failed|400 Bad Request)<\/h1>/);
  });

  test('what is named twice is not believed', async () => {
    const address = `${oauth.authorizeUrl(asking())}&redirect_uri=https://evil.example/`;
    const response = await fetch(address, { redirect: 'manual', headers: { Cookie: cookie } });
    expect(response.status).toBe(400);
  });

  test.each([
    ['no response type', { response_type: '' }, 'invalid_request'],
    ['another response type', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['a scope there is not', { scope: 'api sudo' }, 'invalid_scope'],
    ['a challenge of a few letters', { code_challenge: 'abc' }, 'invalid_request'],
    [
      'a method there is not',
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'S512' },
      'invalid_request',
    ],
    ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
  ] as const)('%s is told to the application', async (_name, more, error) => {
    const response = await oauth.look(cookie, { ...asking(), ...more, state: 's p&c' });
    expect(response.status).toBe(302);
    const to = new URL(response.headers.get('Location') ?? '');
    expect(to.origin + to.pathname).toBe(callback);
    expect(Object.fromEntries(to.searchParams)).toEqual({ ...errorBody(error), state: 's p&c' });
  });

  test('an application may not ask for more than it registered', async () => {
    const reader = await oauth.application(bob, { scopes: ['read_user'] });
    const refused = await oauth.look(cookie, { ...asking(reader), scope: 'api' });
    expect(refused.headers.get('Location')).toContain('error=invalid_scope');
    const shown = await oauth.look(cookie, asking(reader));
    expect(await shown.text()).toContain('<code>read_user</code>');
  });

  test('an error of the implicit flow is told behind #', async () => {
    const request = { ...asking(), response_type: 'token', scope: 'sudo', state: 'x' };
    const to = (await oauth.look(cookie, request)).headers.get('Location') ?? '';
    const { hash, search } = new URL(to);
    expect(search).toBe('');
    expect(Object.fromEntries(new URLSearchParams(hash.slice(1)))).toEqual({
      ...errorBody('invalid_scope'),
      state: 'x',
    });
  });

  test('a form of the page leads to the application only, and no script runs', async () => {
    const response = await oauth.look(cookie, asking());
    expect(response.status).toBe(200);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Content-Security-Policy')).toContain(
      "form-action 'self' http: https:;",
    );
  });
});

describe('POST /oauth/authorize', () => {
  test('a state is given back letter by letter, whatever is in it', async () => {
    const state = 'a\r\nSet-Cookie: x=y\r\n\r\n<b>&code=1#?%00"\'é';
    const response = await oauth.consent(cookie, { ...asking(), state });
    expect(response.status).toBe(302);
    expect(response.headers.get('Set-Cookie') ?? '').not.toContain('x=y');
    const to = new URL(response.headers.get('Location') ?? '');
    expect(Object.fromEntries(to.searchParams)).toEqual({ code: hex64, state });
    expect(to.hash).toBe('');
  });

  test('the query of a registered address stays', async () => {
    const redirectUri = 'https://app.example/back?tenant=1';
    const tenant = await oauth.application(bob, { redirectUris: [redirectUri] });
    const request = { ...asking(tenant), redirect_uri: redirectUri, state: 'x' };
    const response = await oauth.consent(cookie, request);
    expect(response.headers.get('Location')).toMatch(
      /^https:\/\/app\.example\/back\?tenant=1&code=[0-9a-f]{64}&state=x$/,
    );
  });

  test('without the form token nothing is approved', async () => {
    const response = await fetch(`${url}/oauth/authorize`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie },
      body: new URLSearchParams(asking()),
    });
    expect(response.status).toBe(403);
  });

  test.each([
    ['an unknown application', { ...asking(), client_id: 'x' }],
    ['another address', { ...asking(), redirect_uri: 'https://evil.example/' }],
  ])('%s is approved by nobody, and denied to nobody', async (_name, request) => {
    for (const more of [{}, { _method: 'delete' }]) {
      const response = await oauth.consent(cookie, request, more);
      expect(response.status).toBe(400);
      expect(response.headers.get('Location')).toBeNull();
    }
  });

  test('denied, the application is told', async () => {
    const request = { ...asking(), state: 'x' };
    const response = await oauth.consent(cookie, request, { _method: 'delete' });
    const to = new URL(response.headers.get('Location') ?? '');
    expect(Object.fromEntries(to.searchParams)).toEqual({
      ...errorBody('access_denied'),
      state: 'x',
    });
  });

  test('the implicit flow gives a token behind #, and no refresh token', async () => {
    const request = { ...asking(), response_type: 'token', state: 'x y', scope: 'read_user' };
    const response = await oauth.consent(cookie, request);
    const { hash, search } = new URL(response.headers.get('Location') ?? '');
    expect(search).toBe('');
    const given = Object.fromEntries(new URLSearchParams(hash.slice(1)));
    expect(given).toEqual({
      access_token: hex64,
      token_type: 'bearer',
      expires_in: '7200',
      state: 'x y',
    });
    expect(await userOf(given.access_token ?? '')).toMatchObject({ status: 200 });
    const row = await db.oauthToken.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(row).toMatchObject({ refreshDigest: null, scopes: ['read_user'] });
  });

  test('a trusted application of the service asks nobody', async () => {
    const traits = { isServiceWide: true, isTrusted: true };
    const trusted = await oauth.application(root, traits);
    const response = await oauth.look(cookie, asking(trusted));
    expect(response.status).toBe(302);
    expect(response.headers.get('Location')).toMatch(/\?code=[0-9a-f]{64}$/);
  });
});

describe('POST /oauth/token (authorization_code)', () => {
  test('a code is exchanged once; shown again, all that came of it ends', async () => {
    const code = await oauth.codeFor(cookie, asking());
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

  test('of two exchanges at once one is served at most, and nothing of it is good', async () => {
    const code = await oauth.codeFor(cookie, asking());
    const answers = await Promise.all([exchange(code), exchange(code), exchange(code)]);
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBe(1);
    for (const { body } of good) {
      const { access_token } = body as { access_token: string };
      expect(await userOf(access_token)).toMatchObject({ status: 401 });
    }
  });

  test('neither the code nor a token is kept as it is', async () => {
    const code = await oauth.codeFor(cookie, asking());
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
    ['a verifier nobody asked for', { code_verifier: 'v'.repeat(43) }],
    ['another application', clientOf(other)],
  ])('%s is no valid grant, and leaves the code as it was', async (_name, more) => {
    const code = await oauth.codeFor(cookie, asking());
    expect(await exchange(code, more)).toEqual(oauthError('invalid_grant'));
    expect(await exchange(code)).toMatchObject({ status: 200 });
  });

  test.each([
    ['no secret', { client_secret: '' }],
    ['a wrong secret', { client_secret: '0'.repeat(64) }],
    ['no application', { client_id: '', client_secret: '' }],
    ['an unknown application', { client_id: '0'.repeat(64) }],
    ['a secret alone', { client_id: '' }],
  ])('with %s nobody is believed', async (_name, more) => {
    const code = await oauth.codeFor(cookie, asking());
    expect(await exchange(code, more)).toEqual(oauthError('invalid_client'));
  });

  test.each([['code'], ['redirect_uri']])('%s is needed', async (name) => {
    const code = await oauth.codeFor(cookie, asking());
    expect(await exchange(code, { [name]: '' })).toEqual(oauthError('invalid_request'));
  });

  test('a code ends after ten minutes, and long ended ones go', async () => {
    const code = await oauth.codeFor(cookie, asking());
    const row = await db.oauthGrant.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBeGreaterThan(590_000);
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBeLessThan(610_000);
    const where = { id: row.id };
    await db.oauthGrant.update({ where, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await exchange(code)).toEqual(oauthError('invalid_grant'));
    await db.oauthGrant.update({ where, data: { expiresAt: new Date('2020-01-01') } });
    await oauth.codeFor(cookie, asking());
    expect(await db.oauthGrant.findUnique({ where })).toBeNull();
  });

  test('an application that keeps no secret shows its name only', async () => {
    const open = await oauth.application(bob, { isConfidential: false });
    const client = { client_id: open.uid, client_secret: '' };
    const code = await oauth.codeFor(cookie, asking(open));
    expect(await exchange(code, { ...client, client_secret: 'x' })).toEqual(
      oauthError('invalid_client'),
    );
    expect(await exchange(code, client)).toMatchObject({ status: 200 });
  });

  test('the secret may come in the header, encoded as it should be', async () => {
    const code = await oauth.codeFor(cookie, asking());
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
  ])('%s is answered by the verifier and by nothing else', async (_name, challenge) => {
    const code = await oauth.codeFor(cookie, { ...asking(), ...challenge });
    expect(await exchange(code)).toEqual(oauthError('invalid_grant'));
    for (const wrong of ['x'.repeat(43), hashed.slice(1), 'short', `${verifier}x`]) {
      expect(await exchange(code, { code_verifier: wrong })).toEqual(oauthError('invalid_grant'));
    }
    expect(await exchange(code, { code_verifier: verifier })).toMatchObject({ status: 200 });
  });
});
