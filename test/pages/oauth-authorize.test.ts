import { describe, expect, test } from 'vitest';
import { browser, expectAccessible, signIn } from '../support/browser.ts';
import { clientSite, home } from '../support/client-site.ts';
import { clientOf, errorBody, hex64, oauthOf } from '../support/oauth.ts';
import { world } from '../support/world.ts';

const it = await world();
const { seed, root, url, as } = it;
const oauth = oauthOf(it);
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

const asking = (more: Record<string, string> = {}) =>
  oauth.authorizeUrl({
    client_id: robot.uid,
    redirect_uri: site.callback,
    response_type: 'code',
    ...more,
  });

const atTheSite = (address: URL) => address.href.startsWith(site.callback);

describe('a browser that comes from an application', () => {
  test('signs in, allows it, and goes back with a code that is good for a token', async () => {
    const page = await visitors.anonymous();
    await page.goto(asking({ state: 'a state\n&="', scope: 'read_user' }));
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
    await page.waitForURL(atTheSite);
    expect(await page.locator('h1').textContent()).toBe('Back at the application');
    const { code = '', ...rest } = site.received();
    expect({ code, ...rest }).toEqual({ code: hex64, state: 'a state\n&="' });

    const { body } = await oauth.post('/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: site.callback,
      ...clientOf(robot),
    });
    const { access_token: token } = body as { access_token: string };
    expect(await as({ ...ada, token }).get('/user')).toMatchObject({ body: { id: ada.id } });
  });

  test('may be led on to another host by the application', async () => {
    const page = await visitors.signedIn(ada);
    await page.goto(asking({ state: 'lead on' }));
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL((address) => address.pathname === home);
  });

  test('denies it, and the application is told', async () => {
    const page = await visitors.signedIn(ada);
    await page.goto(asking({ state: 'x' }));
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL(atTheSite);
    expect(site.received()).toEqual({ ...errorBody('access_denied'), state: 'x' });
  });

  test('goes back with a token behind #, which the application’s server never sees', async () => {
    const page = await visitors.signedIn(ada);
    await page.goto(asking({ response_type: 'token', state: 'x' }));
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL(atTheSite);
    expect(site.received()).toEqual({});
    const given = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
    expect(given).toEqual({
      access_token: hex64,
      token_type: 'bearer',
      expires_in: '7200',
      state: 'x',
    });
    const client = as({ ...ada, token: given.access_token ?? '' });
    expect(await client.get('/user')).toMatchObject({ status: 200, body: { id: ada.id } });
  });

  test('is asked nothing for an application that is trusted', async () => {
    const page = await visitors.signedIn(ada);
    await page.goto(asking({ client_id: trusted.uid, state: 'x' }));
    await page.waitForURL(atTheSite);
    expect(site.received()).toEqual({ code: hex64, state: 'x' });
  });

  test('signs in on the way to one that is trusted', async () => {
    const page = await visitors.anonymous();
    await page.goto(asking({ client_id: trusted.uid, state: 'y' }));
    await signIn(page, ada);
    await page.waitForURL(atTheSite);
    expect(site.received()).toEqual({ code: hex64, state: 'y' });
  });

  test('is sent nowhere by an application that nobody knows', async () => {
    const page = await visitors.signedIn(ada);
    const response = await page.goto(asking({ redirect_uri: 'https://evil.example/' }));
    expect(response?.status()).toBe(400);
    expect(page.url().startsWith(url)).toBe(true);
    expect(await page.locator('h1').textContent()).toBe('Authorization failed');
    await expectAccessible(page);
  });
});

test.each([
  ['light', 1280],
  ['dark', 400],
] as const)('the page of consent holds long names in %s, %i pixels wide', async (...look) => {
  const [colorScheme, width] = look;
  const long = await oauth.application(bob, { name: 'Robot'.repeat(50), redirectUris });
  const page = await visitors.signedIn(ada, { colorScheme, width });
  await page.goto(asking({ client_id: long.uid, scope: 'api read_user openid' }));
  const overflow = await page
    .locator('main')
    .evaluate((main) => main.scrollWidth > main.clientWidth);
  expect(overflow).toBe(false);
});
