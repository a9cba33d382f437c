import { describe, expect, test } from 'vitest';
import { callback, clientOf, errorBody, oauthOf } from '../../support/oauth.ts';
import { openidOf } from '../../support/openid.ts';
import { world } from '../../support/world.ts';

const testWorld = await world({ settings: { avatarServiceEnabled: false } });
const { seed, root, url, db, as } = testWorld;
const oauth = oauthOf(testWorld);
const openid = openidOf(url, oauth);
const ada = await seed.user('ada');
const scopes = ['api', 'openid', 'profile', 'email'];
const robot = await oauth.application(root, { scopes });
const cookie = await oauth.signIn(ada);
await seed.group('tools', { developer: ada }, { visibility: 'private' });
await seed.group('tools/below', {}, { visibility: 'private' });
await seed.group('other', {}, { visibility: 'private' });

const tokenFor = async (scope: string) =>
  (await openid.tokens(cookie, robot, { scope })).access_token;

const responseOf = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as unknown,
  challenge: response.headers.get('WWW-Authenticate'),
});

const userinfo = async (token: string, init: RequestInit = {}) =>
  responseOf(
    await fetch(`${url}/oauth/userinfo`, {
      headers: { Authorization: `Bearer ${token}` },
      ...init,
    }),
  );

const claims = {
  sub: String(ada.id),
  name: ada.name,
  nickname: 'ada',
  preferred_username: 'ada',
  profile: `${url}/ada`,
  groups: ['tools', 'tools/below'],
};

const invalidToken = {
  status: 401,
  body: errorBody('invalid_token'),
  challenge: `Bearer realm="Millrace", error="invalid_token", error_description="${errorBody('invalid_token').error_description}"`,
};

describe('/oauth/userinfo', () => {
  test.each([
    ['GET with a header', {}],
    ['POST with a header', { method: 'POST' }],
  ])('%s shows the user and their groups', async (_name, init) => {
    expect(await userinfo(await tokenFor('openid'), init)).toEqual({
      status: 200,
      body: claims,
      challenge: null,
    });
  });

  test('takes the token from a form', async () => {
    const body = new URLSearchParams({ access_token: await tokenFor('openid profile') });
    const response = await fetch(`${url}/oauth/userinfo`, { method: 'POST', body });
    expect(await responseOf(response)).toMatchObject({ status: 200, body: claims });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  test('shows the e-mail address with the scope email, and the website', async () => {
    await db.user.update({ where: { id: ada.id }, data: { websiteUrl: 'https://ada.example' } });
    const token = await tokenFor('openid email');
    const shown = { ...claims, website: 'https://ada.example', email: ada.email };
    expect(await userinfo(token)).toMatchObject({ body: { ...shown, email_verified: false } });
    await db.user.update({ where: { id: ada.id }, data: { emailVerifiedAt: new Date() } });
    expect(await userinfo(token)).toMatchObject({ body: { ...shown, email_verified: true } });
    await db.user.update({ where: { id: ada.id }, data: { websiteUrl: '' } });
  });

  test('responds with 403 to a token without the scope openid', async () => {
    const text = 'The request requires higher privileges than provided by the access token.';
    expect(await userinfo(await tokenFor('api email'))).toEqual({
      status: 403,
      body: { error: 'insufficient_scope', error_description: text, scope: 'openid' },
      challenge: `Bearer realm="Millrace", error="insufficient_scope", error_description="${text}", scope="openid"`,
    });
  });

  test('responds with 401 to a private token', async () => {
    expect(await userinfo(ada.token)).toEqual(invalidToken);
  });

  test('responds with 401 without a token, and to a session', async () => {
    const response = await fetch(`${url}/oauth/userinfo`, { headers: { Cookie: cookie } });
    expect(await responseOf(response)).toEqual(invalidToken);
  });

  test('responds with 401 to the token of an application itself', async () => {
    const grant = { grant_type: 'client_credentials', scope: 'openid', ...clientOf(robot) };
    const { body } = await oauth.post('/token', grant);
    expect(await userinfo((body as { access_token: string }).access_token)).toEqual(invalidToken);
  });

  test('responds with 401 to an expired and to a revoked token', async () => {
    const token = await tokenFor('openid');
    await oauth.post('/revoke', { token, ...clientOf(robot) });
    expect(await userinfo(token)).toEqual(invalidToken);
    const other = await tokenFor('openid');
    const { id } = await db.oauthToken.findFirstOrThrow({ orderBy: { id: 'desc' } });
    await db.oauthToken.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await userinfo(other)).toEqual(invalidToken);
  });

  test('responds with 401 to the token of a blocked user, who gets no ID token either', async () => {
    const eve = await seed.user('eve');
    const eveCookie = await oauth.signIn(eve);
    const tokens = await openid.tokens(eveCookie, robot);
    const code = await oauth.codeFor(eveCookie, openid.request(robot));
    await as(root).post(`/users/${eve.id}/block`);
    expect(await userinfo(tokens.access_token)).toEqual(invalidToken);
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback };
    for (const grant of [refresh, exchange]) {
      expect(await oauth.post('/token', { ...grant, ...clientOf(robot) })).toMatchObject({
        status: 401,
        body: errorBody('invalid_grant'),
      });
    }
  });

  test('responds with 401 to the token of an application of users, if they are disabled', async () => {
    const own = await oauth.application(ada, { scopes });
    const { access_token } = await openid.tokens(cookie, own);
    await as(root).put('/application/settings', { user_oauth_applications: false });
    await expect.poll(() => userinfo(access_token)).toEqual(invalidToken);
    await as(root).put('/application/settings', { user_oauth_applications: true });
    await expect.poll(() => userinfo(access_token)).toMatchObject({ status: 200 });
  });
});

test('the claims change with the memberships of the user', async () => {
  const token = await tokenFor('openid');
  await db.member.updateMany({
    where: { userId: ada.id },
    data: { expiresAt: new Date('2020-01-01') },
  });
  expect(await userinfo(token)).toMatchObject({ body: { groups: [] } });
});
