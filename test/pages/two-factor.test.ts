import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newSecret, stepOf } from '../../schema/two-factors/one-time-password.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import type { TestUser } from '../support/seed.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as, root } = await world();
const { anonymous, signedIn } = await browser(url);

const pathOf = (address: string) => address.slice(url.length);
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText();
const passwordOf = (secret: string, steps = 0, now = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * 30_000 });

/** Sets up two-factor authentication on the page; gives the secret and the recovery codes. */
async function setUp(page: Page, user: TestUser) {
  await page.goto('/profile/two_factor');
  await page.getByLabel('Current password').fill(user.password);
  await page.getByRole('button', { name: 'Set up' }).click();
  const secret = (await page.locator('main code').innerText()).replaceAll(' ', '');
  await page.getByLabel('One-time password').fill(passwordOf(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  return { secret, codes: await page.locator('.codes li').allInnerTexts() };
}

/** Allows the current one-time password to be used again, as if time had passed. */
const forgetLastStep = (userId: number) =>
  db.twoFactor.update({ where: { userId }, data: { lastStep: 0 } });

/** Creates a user with two-factor authentication. */
async function twoFactorUser(username: string) {
  const user = await seed.user(username);
  const page = await signedIn(user);
  const secrets = await setUp(page, user);
  await forgetLastStep(user.id);
  return { user, page, ...secrets };
}

/** A browser that has entered the password, but no code. */
async function passwordOnly(user: TestUser) {
  const visitor = visitorAt(url);
  expect(await visitor.signIn(user)).toMatchObject({ location: '/users/two_factor' });
  const submitCode = (code: string) =>
    visitor.submitFrom('/users/two_factor', '/users/two_factor', { code });
  return { visitor, show: submitCode };
}

describe('setting up', () => {
  test('requires the password', async () => {
    const page = await signedIn(await seed.user('zoe'));
    await page.goto('/profile/two_factor');
    await page.getByLabel('Current password').fill('not hers');
    await page.getByRole('button', { name: 'Set up' }).click();
    expect(await page.locator('main').innerText()).toContain('Current password is wrong.');
    expect(await db.twoFactor.count()).toBe(0);
    await expectAccessible(page);
  });

  test('shows the secret until a one-time password is confirmed', async () => {
    const una = await seed.user('una');
    const page = await signedIn(una);
    await page.goto('/profile/two_factor');
    await page.getByLabel('Current password').fill(una.password);
    await page.getByRole('button', { name: 'Set up' }).click();
    expect(await page.locator('.picture svg').count()).toBe(1);
    const secret = (await page.locator('main code').innerText()).replaceAll(' ', '');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    await page.getByLabel('One-time password').fill(passwordOf(secret, 7));
    await page.getByRole('button', { name: 'Turn on' }).click();
    expect(await page.locator('main').innerText()).toContain('This one-time password is wrong.');
    expect((await page.locator('main code').innerText()).replaceAll(' ', '')).toBe(secret);
    await expectAccessible(page);
    expect(await as(una).get('/user')).toMatchObject({ body: { two_factor_enabled: false } });
    expect(await visitorAt(url).signIn(una)).toMatchObject({ location: '/' });
  });

  test('shows recovery codes and signs out other browsers', async () => {
    const ada = await seed.user('ada');
    const page = await signedIn(ada);
    const otherBrowser = visitorAt(url);
    await otherBrowser.signIn(ada);
    const { codes } = await setUp(page, ada);
    expect(await heading(page)).toBe('Recovery codes');
    expect(codes).toHaveLength(10);
    expect(codes[0]).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
    await expectAccessible(page);
    expect(await as(ada).get('/user')).toMatchObject({ body: { two_factor_enabled: true } });
    await page.goto('/profile/two_factor');
    expect(await page.locator('main').innerText()).toContain('10 recovery codes are left.');
    expect(await otherBrowser.get('/profile')).toMatchObject({ status: 302 });
  });

  test('stores neither the secret nor the codes in plain text', async () => {
    const { user, secret, codes } = await twoFactorUser('kay');
    const twoFactor = await db.twoFactor.findUniqueOrThrow({ where: { userId: user.id } });
    expect(twoFactor.sealedSecret).not.toContain(secret);
    const rows = await db.recoveryCode.findMany({ where: { userId: user.id } });
    const stored = rows.map(({ digest }) => Buffer.from(digest).toString('latin1')).join('');
    expect(codes.some((code) => stored.includes(code))).toBe(false);
  });

  test('disables password authentication for the API', async () => {
    const { user } = await twoFactorUser('pia');
    const { username: login, password } = user;
    expect(await as(null).post('/session', { login, password })).toMatchObject({ status: 401 });
    expect(await as(user).get('/user')).toMatchObject({ status: 200 });
  });
});

describe('signing in with two-factor authentication', () => {
  test('requests a one-time password and returns to the requested page', async () => {
    const { user, secret } = await twoFactorUser('bob');
    const page = await anonymous();
    await page.goto('/profile');
    await page.getByLabel('Username or e-mail').fill(user.username);
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(pathOf(page.url())).toBe('/users/two_factor?return_to=%2Fprofile');
    await expectAccessible(page);
    await page.getByLabel('One-time password').fill(passwordOf(secret, 7));
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.locator('main').innerText()).toContain('This one-time password is wrong.');
    await expectAccessible(page);
    await page.getByLabel('One-time password').fill(passwordOf(secret));
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(pathOf(page.url())).toBe('/profile');
  });

  test('is anonymous for at most ten minutes before the code is entered', async () => {
    const { user, secret } = await twoFactorUser('carl');
    const { visitor, show: submitCode } = await passwordOnly(user);
    expect(await visitor.get('/profile')).toMatchObject({ status: 302 });
    const cookie = { Cookie: `_millrace_session=${visitor.cookie}` };
    expect((await as(null).fetch('/user', { headers: cookie })).status).toBe(401);
    const where = { userId: user.id, needsSecondFactor: true };
    const { expiresAt } = await db.browserSession.findFirstOrThrow({ where });
    expect(Number(expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
    await db.browserSession.updateMany({ where, data: { expiresAt: new Date() } });
    expect(await submitCode(passwordOf(secret))).toMatchObject({
      status: 303,
      location: '/users/sign_in',
    });
  });

  test('replaces the session id', async () => {
    const { user, secret } = await twoFactorUser('dora');
    const { visitor, show: submitCode } = await passwordOnly(user);
    const before = visitor.cookie;
    expect(await submitCode(passwordOf(secret))).toMatchObject({ status: 303, location: '/' });
    expect(visitor.cookie).not.toBe(before);
    expect(await visitorAt(url, before).get('/profile')).toMatchObject({ status: 302 });
    expect(await visitor.get('/profile')).toMatchObject({ status: 200 });
  });

  test('accepts a one-time password once, also with parallel requests', async () => {
    const { user, secret } = await twoFactorUser('eve');
    const both = await Promise.all([passwordOnly(user), passwordOnly(user)]);
    const code = passwordOf(secret);
    const statuses = await Promise.all(
      both.map(async ({ show: submitCode }) => (await submitCode(code)).status),
    );
    expect(statuses.toSorted()).toEqual([303, 401]);
    const third = await passwordOnly(user);
    expect((await third.show(code)).status).toBe(401);
    expect((await third.show(passwordOf(secret, -1))).status).toBe(401);
    expect((await third.show(passwordOf(secret, 1))).status).toBe(303);
  });

  test.each([-2, -1, 0, 1, 2])('accepts codes one period early or late, not two: %i', (steps) => {
    const secret = newSecret();
    const now = Date.UTC(2026, 0, 1);
    const code = passwordOf(secret, steps, now);
    const step = now / 30_000 + steps;
    expect(stepOf(secret, code, now)).toBe(Math.abs(steps) < 2 ? step : null);
  });

  test('accepts a recovery code once, ignoring case and separators', async () => {
    const { user, codes } = await twoFactorUser('frida');
    const [first = '', second = ''] = codes;
    const { show: submitCode } = await passwordOnly(user);
    expect((await submitCode(` ${first.toUpperCase().replace('-', ' ')} `)).status).toBe(303);
    const secondAttempt = await passwordOnly(user);
    expect((await secondAttempt.show(first)).status).toBe(401);
    const outsider = await twoFactorUser('gus');
    expect((await (await passwordOnly(outsider.user)).show(second)).status).toBe(401);
    expect((await secondAttempt.show(second)).status).toBe(303);
  });

  test('counts failures by account, also after a right password', async () => {
    const { user, secret } = await twoFactorUser('hal');
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const { show: submitCode } = await passwordOnly(user);
      expect((await submitCode('000000x')).status).toBe(401);
    }
    const { show: submitCode } = await passwordOnly(user);
    const response = await submitCode(passwordOf(secret));
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('fails if the user is blocked before the code is entered', async () => {
    const { user, secret } = await twoFactorUser('ida');
    const { show: submitCode } = await passwordOnly(user);
    await as(root).post(`/users/${user.id}/block`);
    expect(await submitCode(passwordOf(secret))).toMatchObject({ location: '/users/sign_in' });
  });
});

describe('changing two-factor authentication', () => {
  test('generates new recovery codes, which replace the old ones', async () => {
    const { user, page, codes } = await twoFactorUser('jan');
    await page.goto('/profile/two_factor');
    await page.locator('#renew-password').fill('not his');
    await page.getByRole('button', { name: 'Generate new codes' }).click();
    expect(await page.locator('#renew-password-fault').innerText()).toBe(
      'Current password is wrong.',
    );
    await expectAccessible(page);
    await page.locator('#renew-password').fill(user.password);
    await page.getByRole('button', { name: 'Generate new codes' }).click();
    const fresh = await page.locator('.codes li').allInnerTexts();
    expect(fresh).toHaveLength(10);
    expect(fresh.some((code) => codes.includes(code))).toBe(false);
    const { show: submitCode } = await passwordOnly(user);
    expect((await submitCode(codes[0] ?? '')).status).toBe(401);
    expect((await submitCode(fresh[0] ?? '')).status).toBe(303);
  });

  test('is turned off with the password, which signs out other browsers', async () => {
    const { user, page, secret } = await twoFactorUser('lea');
    const { visitor, show: submitCode } = await passwordOnly(user);
    await submitCode(passwordOf(secret));
    await page.goto('/profile/two_factor');
    await page.locator('#disable-password').fill(user.password);
    await page.getByRole('button', { name: 'Turn off' }).click();
    expect(pathOf(page.url())).toBe('/profile/two_factor');
    expect(await page.locator('main').innerText()).toContain('Two-factor authentication is off.');
    expect(await visitor.get('/profile')).toMatchObject({ status: 302 });
    expect(await db.recoveryCode.count({ where: { userId: user.id } })).toBe(0);
    expect(await visitorAt(url).signIn(user)).toMatchObject({ location: '/' });
  });

  test('is turned off for another user by administrators only', async () => {
    const { user } = await twoFactorUser('max');
    const turnOff = async (by: TestUser | null) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(by && { 'Private-Token': by.token }),
        },
        body: JSON.stringify({
          query: `mutation { disableTwoFactorForUser(input: { id: ${user.id} }) { user { username } } }`,
        }),
      });
      return response.json();
    };
    const refusal = { errors: [{ extensions: { code: 'FORBIDDEN' } }] };
    expect(await turnOff(null)).toMatchObject(refusal);
    expect(await turnOff(user)).toMatchObject(refusal);
    expect(await turnOff(root)).toEqual({
      data: { disableTwoFactorForUser: { user: { username: 'max' } } },
    });
    expect(await visitorAt(url).signIn(user)).toMatchObject({ location: '/' });
  });
});
