import { Gitlab } from '@gitbeaker/rest';
import * as oauth4 from 'oauth4webapi';
import { AuthorizationCode, ClientCredentials, ResourceOwnerPassword } from 'simple-oauth2';
import { describe, expect, test } from 'vitest';
import { callback, hex64, oauthOf } from '../../support/oauth.ts';
import { world } from '../../support/world.ts';

const testWorld = await world();
const { seed, url, as } = testWorld;
const oauth = oauthOf(testWorld);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const robot = await oauth.application(bob);
const publicClient = await oauth.application(bob, { isConfidential: false });
const cookie = await oauth.signIn(ada);
const overHttp = { [oauth4.allowInsecureRequests]: true } as const;
const statusOf = async (token: string) => (await as({ ...ada, token }).get('/user')).status;

describe('oauth4webapi', () => {
  const discover = async () => {
    const issuer = new URL(url);
    const response = await oauth4.discoveryRequest(issuer, { algorithm: 'oauth2', ...overHttp });
    // the issuer has no trailing slash, unlike the href of a URL object
    const metadata = (await response.json()) as oauth4.AuthorizationServer;
    expect(metadata.issuer).toBe(url);
    return metadata;
  };

  /** Consents as ada and returns the redirect target. */
  const consent = async (request: Record<string, string>) => {
    const response = await oauth.consent(cookie, request);
    return new URL(response.headers.get('Location') ?? '');
  };

  test.each([
    ['with a secret in the header', robot, oauth4.ClientSecretBasic(robot.secret)],
    ['with a secret in the form', robot, oauth4.ClientSecretPost(robot.secret)],
    ['without a secret', publicClient, oauth4.None()],
  ])('code, PKCE and refresh %s', async (_name, { uid }, authentication) => {
    const server = await discover();
    const client = { client_id: uid };
    const verifier = oauth4.generateRandomCodeVerifier();
    const state = oauth4.generateRandomState();
    const address = await consent({
      client_id: uid,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'api',
      state,
      code_challenge: await oauth4.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const params = oauth4.validateAuthResponse(server, client, address, state);
    const response = await oauth4.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      params,
      callback,
      verifier,
      overHttp,
    );
    const tokens = await oauth4.processAuthorizationCodeResponse(server, client, response);
    expect(tokens).toEqual({
      access_token: hex64,
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: hex64,
      scope: 'api',
      created_at: expect.any(Number),
    });
    const userResponse = await oauth4.protectedResourceRequest(
      tokens.access_token,
      'GET',
      new URL(`${url}/api/v4/user`),
      undefined,
      undefined,
      overHttp,
    );
    expect(await userResponse.json()).toMatchObject({ id: ada.id });

    const refreshed = await oauth4.processRefreshTokenResponse(
      server,
      client,
      await oauth4.refreshTokenGrantRequest(
        server,
        client,
        authentication,
        tokens.refresh_token ?? '',
        overHttp,
      ),
    );
    expect(await statusOf(refreshed.access_token)).toBe(200);
    await oauth4.processRevocationResponse(
      await oauth4.revocationRequest(
        server,
        client,
        authentication,
        refreshed.access_token,
        overHttp,
      ),
    );
    expect(await statusOf(refreshed.access_token)).toBe(401);
  });

  test('client credentials and introspection', async () => {
    const server = await discover();
    const client = { client_id: robot.uid };
    const authentication = oauth4.ClientSecretBasic(robot.secret);
    const { access_token } = await oauth4.processClientCredentialsResponse(
      server,
      client,
      await oauth4.clientCredentialsGrantRequest(server, client, authentication, {}, overHttp),
    );
    const introspected = await oauth4.processIntrospectionResponse(
      server,
      client,
      await oauth4.introspectionRequest(server, client, authentication, access_token, overHttp),
    );
    expect(introspected).toMatchObject({ active: true, client_id: robot.uid, scope: 'api' });
  });

  test('an error response is parsed', async () => {
    const server = await discover();
    const client = { client_id: robot.uid };
    const wrongSecret = oauth4.ClientSecretPost('wrong');
    const response = await oauth4.clientCredentialsGrantRequest(
      server,
      client,
      wrongSecret,
      {},
      overHttp,
    );
    const refusal = oauth4.processClientCredentialsResponse(server, client, response);
    await expect(refusal).rejects.toMatchObject({
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_client', realm: 'Millrace' } }],
    });
  });

  test('a denied authorization is parsed', async () => {
    const request = { client_id: robot.uid, redirect_uri: callback, response_type: 'code' };
    const response = await oauth.consent(
      cookie,
      { ...request, state: 'state' },
      { _method: 'delete' },
    );
    const address = new URL(response.headers.get('Location') ?? '');
    const server = await discover();
    expect(() =>
      oauth4.validateAuthResponse(server, { client_id: robot.uid }, address, 'state'),
    ).toThrow(expect.objectContaining({ error: 'access_denied' }));
  });
});

describe('simple-oauth2', () => {
  const config = {
    client: { id: robot.uid, secret: robot.secret },
    auth: { tokenHost: url, tokenPath: '/oauth/token', revokePath: '/oauth/revoke' },
  };

  test('code, refresh and revocation', async () => {
    const client = new AuthorizationCode(config);
    const address = client.authorizeURL({ redirect_uri: callback, scope: 'api', state: 'x' });
    const request = Object.fromEntries(new URL(address).searchParams);
    const code = await oauth.codeFor(cookie, request);
    const token = await client.getToken({ code, redirect_uri: callback });
    expect(token.expired()).toBe(false);
    expect(await statusOf(String(token.token.access_token))).toBe(200);
    const refreshed = await token.refresh();
    expect(await statusOf(String(token.token.access_token))).toBe(401);
    expect(await statusOf(String(refreshed.token.access_token))).toBe(200);
    await refreshed.revokeAll();
    expect(await statusOf(String(refreshed.token.access_token))).toBe(401);
  });

  test.each([['header'], ['body']] as const)(
    'password, with the secret in the %s',
    async (place) => {
      const client = new ResourceOwnerPassword({
        ...config,
        options: { authorizationMethod: place },
      });
      const { username, password } = ada;
      const { token } = await client.getToken({ username, password, scope: 'read_user' });
      expect(await statusOf(String(token.access_token))).toBe(200);
      expect(token.scope).toBe('read_user');
    },
  );

  test('client credentials', async () => {
    const { token } = await new ClientCredentials(config).getToken({});
    expect(token).toMatchObject({ access_token: hex64, token_type: 'bearer' });
    expect(await statusOf(String(token.access_token))).toBe(401);
  });
});

test('gitbeaker works with an access token', async () => {
  const { access_token } = await oauth.ofPassword(ada);
  const client = new Gitlab({ host: url, oauthToken: access_token });
  expect(await client.Users.showCurrentUser()).toMatchObject({ id: ada.id });
  const project = await client.Projects.create({ name: 'By a token' });
  expect(await client.Projects.show(project.id)).toMatchObject({ path: 'by-a-token' });
});
