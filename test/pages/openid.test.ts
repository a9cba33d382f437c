import { randomBytes } from 'node:crypto';
import * as client from 'openid-client';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser, signIn } from '../support/browser.ts';
import { clientSite } from '../support/client-site.ts';
import { oauthOf } from '../support/oauth.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, root, url, db } = server;
const oauth = oauthOf(server);
const site = await clientSite();
const visitors = await browser(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const robot = await oauth.application(root, {
  redirectUris: [site.callback],
  scopes: ['openid', 'profile', 'email'],
});
const config = await client.discovery(new URL(url), robot.uid, robot.secret, undefined, {
  execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
});

/** A sign-in at the application: its request, and what it learns after the callback. */
async function begin(more: Readonly<Record<string, string>> = {}) {
  const expectedNonce = randomBytes(16).toString('hex');
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: site.callback,
    scope: 'openid profile email',
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...more,
  });
  const finish = async () => {
    const callback = new URL(`${site.callback}?${new URLSearchParams(site.received())}`);
    const checks = { expectedNonce, pkceCodeVerifier, idTokenExpected: true };
    return (await client.authorizationCodeGrant(config, callback, checks)).claims();
  };
  return { address: address.href, finish };
}

const authorize = async (page: Page) => {
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.waitForURL((target) => target.href.startsWith(site.callback));
};

describe('the sign-in at an application', () => {
  test('asks for the password and the consent, and identifies the user', async () => {
    const { address, finish } = await begin();
    const page = await visitors.anonymous();
    await page.goto(address);
    await signIn(page, ada);
    await page.waitForURL('**/oauth/authorize?**');
    expect(await page.locator('main li').allTextContents()).toEqual([
      'Identify you, and read your account: name, e-mail address, avatar and groups openid',
      'Read your name, avatar and groups profile',
      'Read your e-mail address email',
    ]);
    await expectAccessible(page);
    await authorize(page);
    expect(await finish()).toMatchObject({ sub: String(ada.id), name: 'Ada', email: ada.email });
  });

  test('asks a signed-in user for the password with prompt=login', async () => {
    const page = await visitors.signedIn(ada);
    await db.browserSession.updateMany({ data: { createdAt: new Date('2020-01-01') } });
    const { address, finish } = await begin({ prompt: 'login', max_age: '0' });
    await page.goto(address);
    expect(await page.locator('main p').first().textContent()).toBe(
      'To continue, the application asks you to sign in again.',
    );
    await expectAccessible(page);
    const before = Math.floor(Date.now() / 1000);
    // another user, who is then the one to consent
    await signIn(page, bob);
    await page.waitForURL('**/oauth/authorize?**');
    expect(await page.locator('main strong').textContent()).toBe('bob');
    await authorize(page);
    const claims = await finish();
    expect(claims?.sub).toBe(String(bob.id));
    expect(claims?.auth_time).toBeGreaterThanOrEqual(before);
  });

  test('asks nothing with prompt=none after it was authorized', async () => {
    const page = await visitors.signedIn(ada);
    const first = await begin();
    await page.goto(first.address);
    await authorize(page);
    await first.finish();
    const { address, finish } = await begin({ prompt: 'none' });
    await page.goto(address);
    await page.waitForURL((target) => target.href.startsWith(site.callback));
    expect(await finish()).toMatchObject({ sub: String(ada.id) });
  });
});
