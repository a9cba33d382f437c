import { describe, expect, test } from 'vitest';
import { recordSecrets } from '../support/logged-secrets.ts';
import {
  type Application,
  callback,
  clientOf,
  oauthError,
  oauthOf,
  type Traits,
} from '../support/oauth.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db } = testWorld;
const oauth = oauthOf(testWorld);
const bob = await seed.user('bob');

let count = 0;

/** A mutation over GraphQL. */
async function mutate(user: TestUser, query: string, variables: object) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Private-Token': user.token },
    body: JSON.stringify({ query, variables }),
  });
  const { errors } = (await response.json()) as { readonly errors?: unknown };
  expect(errors).toBeUndefined();
}

/** A new user with a code for a new application, and the exchange of that code. */
async function pendingCode(traits: Traits = {}, requested = 'api read_user') {
  count += 1;
  const user = await seed.user(`user${count}`);
  const owner = traits.isServiceWide ? root : bob;
  const application = await oauth.application(owner, traits);
  const cookie = await oauth.signIn(user);
  const request = {
    client_id: application.uid,
    redirect_uri: callback,
    response_type: 'code',
    scope: requested,
  };
  const code = traits.isTrusted
    ? await codeOf(await oauth.look(cookie, request))
    : await oauth.codeFor(cookie, request);
  const exchange = () =>
    oauth.post('/token', {
      ...clientOf(application),
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
    });
  const change = (input: object) =>
    mutate(
      owner,
      `mutation ($input: UpdateOauthApplicationInput!) {
        updateOauthApplication(input: $input) { oauthApplication { id } }
      }`,
      { input: { id: String(application.id), ...input } },
    );
  return { user, application, cookie, exchange, change };
}

const codeOf = async (response: Response) =>
  new URL(response.headers.get('Location') ?? '').searchParams.get('code') ?? '';

describe('a code that an application has not exchanged', () => {
  test('gives only the scopes that the application still has', async () => {
    const { exchange, change } = await pendingCode();
    await change({ scopes: ['READ_USER'] });
    expect(await exchange()).toMatchObject({ status: 200, body: { scope: 'read_user' } });
  });

  test('gives no scope that the application got after the consent', async () => {
    const { exchange, change } = await pendingCode({ scopes: ['read_user'] }, 'read_user');
    await change({ scopes: ['READ_USER', 'API'] });
    expect(await exchange()).toMatchObject({ status: 200, body: { scope: 'read_user' } });
  });

  test('gives nothing if the application has none of its scopes any more', async () => {
    const { exchange, change } = await pendingCode({}, 'api');
    await change({ scopes: ['READ_USER'] });
    expect(await exchange()).toEqual(oauthError('invalid_scope'));
  });

  test('is invalid after its address was removed from the application', async () => {
    const { exchange, change } = await pendingCode();
    await change({ redirectUris: ['http://127.0.0.1:9/other'] });
    expect(await exchange()).toEqual(oauthError('invalid_grant'));
    await change({ redirectUris: [callback] });
    expect(await exchange()).toEqual(oauthError('invalid_grant'));
  });

  test('is invalid after the password of the user changed', async () => {
    const { user, exchange } = await pendingCode();
    const password = 'another password of mine';
    expect((await as(root).put(`/users/${user.id}`, { password })).status).toBe(200);
    expect(await exchange()).toEqual(oauthError('invalid_grant'));
  });

  test('is invalid after the user was blocked, also when unblocked again', async () => {
    const { user, exchange } = await pendingCode();
    await as(root).post(`/users/${user.id}/block`);
    await as(root).post(`/users/${user.id}/unblock`);
    expect(await exchange()).toEqual(oauthError('invalid_grant'));
  });

  test('is invalid if no consent was asked for and the application is no longer trusted', async () => {
    const { exchange, change } = await pendingCode({ isServiceWide: true, isTrusted: true });
    await change({ isTrusted: false });
    expect(await exchange()).toEqual(oauthError('invalid_grant'));
  });

  test('is deleted with its application', async () => {
    const { exchange, application } = await pendingCode();
    await mutate(
      bob,
      `mutation ($input: DeleteOauthApplicationInput!) {
        deleteOauthApplication(input: $input) { id }
      }`,
      { input: { id: String(application.id) } },
    );
    expect(await exchange()).toEqual(oauthError('invalid_client'));
    expect(await db.oauthGrant.count({ where: { applicationId: application.id } })).toBe(0);
  });
});

describe('the consent page', () => {
  const request = ({ uid }: Pick<Application, 'uid'>) => ({
    client_id: uid,
    redirect_uri: callback,
    response_type: 'code',
  });

  /** Sends the form of the page as it was shown. */
  async function submit(page: string, cookie: string) {
    const [, action = ''] = /action="([^"]+authorize\?[^"]+)"/.exec(page) ?? [];
    const [, token = ''] = /name="authenticity_token" value="([^"]+)"/.exec(page) ?? [];
    const response = await fetch(new URL(action.replaceAll('&amp;', '&'), url), {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie },
      body: new URLSearchParams({ authenticity_token: token }),
    });
    expect(response.status).toBe(302);
    return new URL(response.headers.get('Location') ?? '').searchParams;
  }

  /** The page of a request without scopes, and an exchange of the code that its form gives. */
  async function shownPage(scopes: readonly string[]) {
    const { application, cookie, change } = await pendingCode({ scopes }, scopes.join(' '));
    const page = await (await oauth.look(cookie, request(application))).text();
    const exchange = (code: string) => {
      recordSecrets({ token: code });
      const grant = { grant_type: 'authorization_code', code, redirect_uri: callback };
      return oauth.post('/token', { ...clientOf(application), ...grant });
    };
    return { page, change, exchange, submit: () => submit(page, cookie) };
  }

  test('gives the scopes that it showed, if the application got further ones meanwhile', async () => {
    const shown = await shownPage(['read_user']);
    expect(shown.page).toContain('<code>read_user</code>');
    await shown.change({ scopes: ['READ_USER', 'API'] });
    const answer = await shown.submit();
    expect(await shown.exchange(answer.get('code') ?? '')).toMatchObject({
      status: 200,
      body: { scope: 'read_user' },
    });
  });

  test('gives no other scope in place of one that it showed', async () => {
    const shown = await shownPage(['read_user', 'openid']);
    await shown.change({ scopes: ['API', 'OPENID'] });
    const answer = await shown.submit();
    expect([answer.get('code'), answer.get('error')]).toEqual([null, 'invalid_scope']);
  });
});

test('a refresh token keeps the scopes of its consent, as far as the application has them', async () => {
  const { exchange, change, application } = await pendingCode();
  const { body } = await exchange();
  const { refresh_token } = body as { readonly refresh_token: string };
  await change({ scopes: ['READ_USER', 'OPENID'] });
  const refreshed = await oauth.post('/token', {
    ...clientOf(application),
    grant_type: 'refresh_token',
    refresh_token,
  });
  expect(refreshed).toMatchObject({ status: 200, body: { scope: 'read_user' } });
});
