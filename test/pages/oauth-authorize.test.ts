import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser, signIn } from '../support/browser.ts';
import { clientSite, home } from '../support/client-site.ts';
import { clientOf, errorBody, hex64, oauthOf } from '../support/oauth.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, root, url, as } = server;
const oauth = oauthOf(server);
const site = await clientSite();
const visitors = await browser(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const redirectUris = [site.callback];
const robot = await oauth.application(bob, { name: 'Robot & <b>Sons</b>', redirectUris });
const trusted = await oauth.application(root, {
  redirectUris,
  isServiceWide: true,
  isTrusted: true,
});

const authorizeUrl = (more: Record<string, string> = {}) =>
  oauth.authorizeUrl({
    client_id: robot.uid,
    redirect_uri: site.callback,
    response_type: 'code',
    ...more,
  });

const isCallback = (address: URL) => address.href.startsWith(site.callback);

describe('the authorization of an application', () => {
  test('returns a code after sign-in and consent, which is exchanged for a token', async () => {
    const page = await visitors.anonymous();
    await page.goto(authorizeUrl({ state: 'a state\n&="', scope: 'read_user' }));
    await signIn(page, ada);
    await page.waitForURL('**/oauth/authorize?**');
    expect(await page.locator('h1').textContent()).toBe(
      'Authorize Robot & <b>Sons</b> to use your account?',
    );
    expect(await page.locator('main li').allTextContents()).toEqual([
      'Read your profile read_user',
    ]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL(isCallback);
    expect(await page.locator('h1').textContent()).toBe('Back at the application');
    const { code = '', ...params } = site.received();
    expect({ code, ...params }).toEqual({ code: hex64, state: 'a state\n&="' });

    const { body } = await oauth.post('/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: site.callback,
      ...clientOf(robot),
    });
    const { access_token: token } = body as { access_token: string };
    expect(await as({ ...ada, token }).get('/user')).toMatchObject({ body: { id: ada.id } });
  });

  test('may be followed by a redirect of the application to another host', async () => {
    const page = await visitors.signedIn(ada);
    await page.goto(authorizeUrl({ state: 'lead on' }));
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL((address) => address.pathname === home);
  });

  test('returns an error when the user denies it', async () => {
    const page = await visitors.signedIn(ada);
    await page.goto(authorizeUrl({ state: 'x' }));
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(isCallback);
    expect(site.received()).toEqual({ ...errorBody('access_denied'), state: 'x' });
  });

  test('returns an implicit token in the fragment, which is not sent to the application’s server', async () => {
    const page = await visitors.signedIn(ada);
    await page.goto(authorizeUrl({ response_type: 'token', state: 'x' }));
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL(isCallback);
    expect(site.received()).toEqual({});
    const fragment = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
    expect(fragment).toEqual({
      access_token: hex64,
      token_type: 'bearer',
      expires_in: '7200',
      state: 'x',
    });
    const client = as({ ...ada, token: fragment.access_token ?? '' });
    expect(await client.get('/user')).toMatchObject({ status: 200, body: { id: ada.id } });
  });

  test('needs no consent for a trusted application', async () => {
    const page = await visitors.signedIn(ada);
    await page.goto(authorizeUrl({ client_id: trusted.uid, state: 'x' }));
    await page.waitForURL(isCallback);
    expect(site.received()).toEqual({ code: hex64, state: 'x' });
  });

  test('of a trusted application continues after sign-in', async () => {
    const page = await visitors.anonymous();
    await page.goto(authorizeUrl({ client_id: trusted.uid, state: 'y' }));
    await signIn(page, ada);
    await page.waitForURL(isCallback);
    expect(site.received()).toEqual({ code: hex64, state: 'y' });
  });

  test('shows an error, without a redirect, for an unknown redirect URI', async () => {
    const page = await visitors.signedIn(ada);
    const response = await page.goto(authorizeUrl({ redirect_uri: 'https://evil.example/' }));
    expect(response?.status()).toBe(400);
    expect(page.url().startsWith(url)).toBe(true);
    expect(await page.locator('h1').textContent()).toBe('Authorization failed');
    await expectAccessible(page);
  });
});

test.each([
  ['light', 1280],
  ['dark', 400],
] as const)('the consent page wraps long names in %s mode, %i pixels wide', async (...look) => {
  const [colorScheme, width] = look;
  const long = await oauth.application(bob, { name: 'Robot'.repeat(50), redirectUris });
  const page = await visitors.signedIn(ada, { colorScheme, width });
  await page.goto(authorizeUrl({ client_id: long.uid, scope: 'api read_user openid' }));
  const overflow = await page
    .locator('main')
    .evaluate((main) => main.scrollWidth > main.clientWidth);
  expect(overflow).toBe(false);
});
