import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { git, workTree } from '../../support/git.ts';
import { callback, clientOf, oauthOf } from '../../support/oauth.ts';
import type { TestUser } from '../../support/seed.ts';
import { currentUserShape, refused } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const testWorld = await world({ isOneProcess: true });
const { seed, root, url, db, as, remote } = testWorld;
const oauth = oauthOf(testWorld);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const robot = await oauth.application(bob);
await seed.project('ada/app', {}, { visibility: 'private' });
await seed.push('ada/app', { 'README.md': '# App' });

const bearer = (token: string, path = '/user', init: RequestInit = {}) =>
  fetch(`${url}/api/v4${path}`, {
    ...init,
    headers: { Authorization: `Bearer ${token}`, ...init.headers },
  });
const responseOf = async (response: Response) => ({
  status: response.status,
  body: await response.json(),
  challenge: response.headers.get('WWW-Authenticate'),
});

const challenge = (error: string, text: string, attributes = '') =>
  `Bearer realm="Millrace", error="${error}", error_description="${text}"${attributes}`;
const invalidToken = (text: string) => ({
  status: 401,
  body: { error: 'invalid_token', error_description: text },
  challenge: challenge('invalid_token', text),
});
const expired = invalidToken(
  'Token is expired. You can either do re-authorization or token refresh.',
);
const revoked = invalidToken('Token was revoked. You have to re-authorize from the user.');
const insufficientScope = (scope: string) => {
  const text = 'The request requires higher privileges than provided by the access token.';
  return {
    status: 403,
    body: { error: 'insufficient_scope', error_description: text, scope },
    challenge: challenge('insufficient_scope', text, `, scope="${scope}"`),
  };
};

describe('an access token', () => {
  test.each([
    ['the header', (token: string) => bearer(token)],
    ['the query', (token: string) => fetch(`${url}/api/v4/user?access_token=${token}`)],
    [
      'the query, as bearer_token',
      (token: string) => fetch(`${url}/api/v4/user?bearer_token=${token}`),
    ],
  ])('is accepted in %s', async (_name, send) => {
    const { access_token } = await oauth.ofPassword(ada);
    const response = await send(access_token);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ id: ada.id });
  });

  test('authenticates its user for reading and writing', async () => {
    const { access_token: token } = await oauth.ofPassword(ada);
    const client = as({ ...ada, token });
    expect(await client.get('/user')).toEqual({ status: 200, body: currentUserShape(url, ada) });
    expect(await client.post('/projects', { name: 'Written' })).toMatchObject({ status: 201 });
  });

  test('that has expired gets an error of its own, also from public endpoints', async () => {
    const { access_token } = await oauth.ofPassword(ada);
    await db.oauthToken.updateMany({
      where: { userId: ada.id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await responseOf(await bearer(access_token))).toEqual(expired);
    expect(await responseOf(await bearer(access_token, '/projects'))).toEqual(expired);
    const post = { method: 'POST', body: new URLSearchParams({ name: 'x' }) };
    expect(await responseOf(await bearer(access_token, '/projects', post))).toEqual(expired);
  });

  test('expires while it is cached', async () => {
    const { access_token } = await oauth.ofPassword(ada);
    const expiresAt = new Date(Date.now() + 1_500);
    await db.oauthToken.updateMany({
      where: { userId: ada.id, revokedAt: null },
      data: { expiresAt },
    });
    expect((await bearer(access_token)).status).toBe(200);
    await expect.poll(async () => responseOf(await bearer(access_token))).toEqual(expired);
  });

  test('that was revoked gets an error of its own', async () => {
    const { access_token } = await oauth.ofPassword(ada);
    expect((await bearer(access_token)).status).toBe(200);
    await oauth.post('/revoke', { token: access_token });
    expect(await responseOf(await bearer(access_token))).toEqual(revoked);
  });

  test('that never existed gets 401', async () => {
    const { status, body } = await responseOf(await bearer('0'.repeat(64)));
    expect({ status, body }).toEqual(refused.anonymous);
  });

  test('of a blocked user gets 401', async () => {
    const eve = await seed.user('eve');
    const { access_token } = await oauth.ofPassword(eve);
    expect((await bearer(access_token)).status).toBe(200);
    await as(root).post(`/users/${eve.id}/block`);
    const { status, body } = await responseOf(await bearer(access_token));
    expect({ status, body }).toEqual(refused.anonymous);
  });

  test('is limited to its scopes', async () => {
    const { access_token } = await oauth.ofPassword(ada, { scope: 'read_user' });
    expect((await bearer(access_token)).status).toBe(200);
    expect((await bearer(access_token, `/users/${bob.id}`)).status).toBe(200);
    expect(await responseOf(await bearer(access_token, '/projects'))).toEqual(
      insufficientScope('api'),
    );
    const graphql = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ currentUser { user { id } } }' }),
    });
    const { error_description: message } = insufficientScope('api').body;
    expect(await responseOf(graphql)).toEqual({
      ...insufficientScope('api'),
      body: { errors: [{ message, extensions: { code: 'FORBIDDEN' } }] },
    });
  });

  test('with the scope openid only reads the current user', async () => {
    const { access_token } = await oauth.ofPassword(ada, { scope: 'openid' });
    expect((await bearer(access_token)).status).toBe(200);
    expect((await responseOf(await bearer(access_token, '/projects'))).status).toBe(403);
  });

  test('does not allow sudo', async () => {
    const byRoot = await oauth.ofPassword(root);
    expect(await as({ ...root, token: byRoot.access_token }).get('/user?sudo=ada')).toEqual({
      status: 403,
      body: {
        message: '403 Forbidden - Private token must be specified in order to use sudo',
      },
    });
    const byAda = await oauth.ofPassword(ada);
    expect(await as({ ...ada, token: byAda.access_token }).get('/user?sudo=root')).toEqual({
      status: 403,
      body: { message: '403 Forbidden - Must be admin to use sudo' },
    });
  });
});

describe('applications registered by users', () => {
  test('are disabled and enabled by an administrator with immediate effect', async () => {
    const { access_token } = await oauth.ofPassword(ada, clientOf(robot));
    const withoutApplication = await oauth.ofPassword(ada);
    const service = await oauth.application(root, { isServiceWide: true });
    const ofService = await oauth.ofPassword(ada, clientOf(service));
    const cookie = await oauth.signIn(ada);
    const request = {
      client_id: robot.uid,
      redirect_uri: 'http://127.0.0.1:9/callback',
      response_type: 'code',
    };
    expect((await bearer(access_token)).status).toBe(200);

    await as(root).put('/application/settings', { user_oauth_applications: false });
    for (const path of ['/user', '/projects', '/version']) {
      expect((await responseOf(await bearer(access_token, path))).status).toBe(403);
    }
    expect(await responseOf(await bearer(access_token, '/projects'))).toEqual(
      insufficientScope('api'),
    );
    expect((await bearer(withoutApplication.access_token)).status).toBe(200);
    expect((await bearer(ofService.access_token)).status).toBe(200);
    const grant = { grant_type: 'client_credentials', ...clientOf(robot) };
    expect(await oauth.post('/token', grant)).toMatchObject({
      status: 401,
      body: { error: 'unauthorized_client' },
    });
    const { headers } = await oauth.look(cookie, request);
    expect(headers.get('Location')).toContain('?error=unauthorized_client');
    const introspected = await oauth.post('/introspect', {
      token: access_token,
      ...clientOf(robot),
    });
    expect(introspected.body).toEqual({ active: false });
    const info = await fetch(`${url}/oauth/token/info?access_token=${access_token}`);
    expect(info.status).toBe(401);

    await as(root).put('/application/settings', { user_oauth_applications: true });
    expect((await bearer(access_token)).status).toBe(200);
  });
});

describe('a client with delegated access', () => {
  test.each([
    [`resetPrivateToken(input: { password: "${bob.password}" }) { privateToken }`],
    ['createPersonalAccessToken(input: { name: "Left behind", scopes: [API] }) { token }'],
    [
      `createOauthApplication(input: { name: "Other", redirectUris: ["${callback}"], scopes: [API] }) { secret }`,
    ],
    [`resetOauthApplicationSecret(input: { id: ${robot.id} }) { secret }`],
    [
      `updateOauthApplication(input: { id: ${robot.id}, name: "Other" }) { oauthApplication { id } }`,
    ],
  ])('cannot create further credentials by %s', async (mutation) => {
    const { access_token } = await oauth.ofPassword(bob);
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${access_token}` },
      body: JSON.stringify({ query: `mutation { ${mutation} }` }),
    });
    const [field = ''] = /^\w+/.exec(mutation) ?? [];
    expect(await response.json()).toMatchObject({
      data: { [field]: null },
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    });
  });
});

describe('git over HTTP', () => {
  const clone = (token: string, username: string) =>
    git('.', 'ls-remote', remote('ada/app', { ...ada, username, token } as TestUser));

  test.each([['oauth2'], ['ada'], ['any-name']])(
    'accepts a token as the password of %s',
    async (name) => {
      const { access_token } = await oauth.ofPassword(ada);
      expect(await clone(access_token, name)).toContain('refs/heads/master');
    },
  );

  test('a push is made as the user of the token', async () => {
    const { access_token } = await oauth.ofPassword(ada);
    const folder = await workTree({ 'a.txt': 'a' });
    const to = remote('ada/app', { ...ada, username: 'oauth2', token: access_token });
    await git(folder, 'push', '--quiet', to, 'HEAD:refs/heads/by-token');
    await rm(folder, { recursive: true });
    expect(await clone(access_token, 'oauth2')).toContain('refs/heads/by-token');
  });

  test.each([
    ['with an insufficient scope', { scope: 'read_user' }],
    ['from client credentials', { grant_type: 'client_credentials', ...clientOf(robot) }],
  ])('rejects a token %s', async (_name, more) => {
    const { access_token } = await oauth.ofPassword(ada, more);
    await expect(clone(access_token, 'oauth2')).rejects.toThrow();
  });
});
