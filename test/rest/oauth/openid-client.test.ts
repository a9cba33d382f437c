import * as client from 'openid-client';
import { describe, expect, test } from 'vitest';
import { callback, hex64, oauthOf } from '../../support/oauth.ts';
import { world } from '../../support/world.ts';

const testWorld = await world();
const { seed, root, url } = testWorld;
const oauth = oauthOf(testWorld);
const ada = await seed.user('ada');
const scopes = ['openid', 'profile', 'email'];
const robot = await oauth.application(root, { scopes });
const program = await oauth.application(root, { scopes, isConfidential: false });
const cookie = await oauth.signIn(ada);

const discover = (uid: string, authentication: client.ClientAuth) =>
  client.discovery(new URL(url), uid, undefined, authentication, {
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
  });

/** Consents as ada to what the client requests; gives the address that it is called back at. */
async function consent(address: URL): Promise<URL> {
  const response = await oauth.consent(cookie, Object.fromEntries(address.searchParams));
  return new URL(response.headers.get('Location') ?? '');
}

describe('openid-client', () => {
  test.each([
    ['with a secret in the header', robot, client.ClientSecretBasic(robot.secret)],
    ['with a secret in the form', robot, client.ClientSecretPost(robot.secret)],
    ['without a secret', program, client.None()],
  ])('signs a user in by a code with PKCE %s', async (_name, { uid }, authentication) => {
    const config = await discover(uid, authentication);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedState = client.randomState();
    const expectedNonce = client.randomNonce();
    const request = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: scopes.join(' '),
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
      max_age: '3600',
    });
    expect(request.origin + request.pathname).toBe(`${url}/oauth/authorize`);
    const tokens = await client.authorizationCodeGrant(config, await consent(request), {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
      maxAge: 3600,
      idTokenExpected: true,
    });
    expect(tokens).toMatchObject({ access_token: hex64, scope: scopes.join(' ') });
    expect(tokens.claims()).toMatchObject({ sub: String(ada.id), email: ada.email });

    const claims = await client.fetchUserInfo(config, tokens.access_token, String(ada.id));
    expect(claims).toMatchObject({ preferred_username: 'ada', email: ada.email, groups: [] });

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.claims()).toMatchObject({ auth_time: tokens.claims()?.auth_time });
  });

  test('signs a user in by an ID token in the fragment', async () => {
    const config = await discover(program.uid, client.None());
    client.useIdTokenResponseType(config);
    const expectedNonce = client.randomNonce();
    const expectedState = client.randomState();
    const request = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid email',
      nonce: expectedNonce,
      state: expectedState,
    });
    const claims = await client.implicitAuthentication(
      config,
      await consent(request),
      expectedNonce,
      { expectedState },
    );
    expect(claims).toMatchObject({ iss: url, sub: String(ada.id), email: ada.email });
  });
});
