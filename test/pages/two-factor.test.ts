import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newSecret, stepOf } from '../../schema/two-factors/one-time-password.ts';
import { browser, expectAccessible } from '../support/browser.ts';
import type { TestUser } from '../support/seed.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as, root } = await world();
const { anonymous, signedIn } = await browser(url);

const pathOf = (address: string) => address.slice(url.length);
const heading = (page: Page) => page.getByRole('heading', { level: 1 }).innerText();
const passwordOf = (secret: string, steps = 0, now = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * 30_000 });

/** Goes through the set-up; gives the secret and the recovery codes that were shown. */
async function setUp(page: Page, person: TestUser) {
  await page.goto('/profile/two_factor');
  await page.getByLabel('Current password').fill(person.password);
  await page.getByRole('button', { name: 'Set up' }).click();
  const secret = (await page.locator('main code').innerText()).replaceAll(' ', '');
  await page.getByLabel('One-time password').fill(passwordOf(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  return { secret, codes: await page.locator('.codes li').allInnerTexts() };
}

/** Lets any one-time password be shown once more: time passes. */
const laterOn = (userId: number) =>
  db.twoFactor.update({ where: { userId }, data: { lastStep: 0 } });

/** Somebody with a second factor, by way of the pages. */
async function guarded(username: string) {
  const person = await seed.user(username);
  const page = await signedIn(person);
  const known = await setUp(page, person);
  await laterOn(person.id);
  return { person, page, ...known };
}

/** A browser that was right about the password. */
async function half(person: TestUser) {
  const visitor = visitorAt(url);
  expect(await visitor.signIn(person)).toMatchObject({ location: '/users/two_factor' });
  const show = (code: string) =>
    visitor.submitFrom('/users/two_factor', '/users/two_factor', { code });
  return { visitor, show };
}

describe('setting up', () => {
  test('asks for the password', async () => {
    const page = await signedIn(await seed.user('zoe'));
    await page.goto('/profile/two_factor');
    await page.getByLabel('Current password').fill('not hers');
    await page.getByRole('button', { name: 'Set up' }).click();
    expect(await page.locator('main').innerText()).toContain('Current password is wrong.');
    expect(await db.twoFactor.count()).toBe(0);
    await expectAccessible(page);
  });

  test('shows the secret until an authenticator knows it', async () => {
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

  test('ends with recovery codes, and signs other browsers out', async () => {
    const ada = await seed.user('ada');
    const page = await signedIn(ada);
    const other = visitorAt(url);
    await other.signIn(ada);
    const { codes } = await setUp(page, ada);
    expect(await heading(page)).toBe('Recovery codes');
    expect(codes).toHaveLength(10);
    expect(codes[0]).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
    await expectAccessible(page);
    expect(await as(ada).get('/user')).toMatchObject({ body: { two_factor_enabled: true } });
    await page.goto('/profile/two_factor');
    expect(await page.locator('main').innerText()).toContain('10 recovery codes are left.');
    expect(await other.get('/profile')).toMatchObject({ status: 302 });
  });

  test('what is kept tells nobody the secret or the codes', async () => {
    const { person, secret, codes } = await guarded('kay');
    const kept = await db.twoFactor.findUniqueOrThrow({ where: { userId: person.id } });
    expect(kept.sealedSecret).not.toContain(secret);
    const rows = await db.recoveryCode.findMany({ where: { userId: person.id } });
    const stored = rows.map(({ digest }) => Buffer.from(digest).toString('latin1')).join('');
    expect(codes.some((code) => stored.includes(code))).toBe(false);
  });

  test('once it is on, a password alone opens neither the API nor git', async () => {
    const { person } = await guarded('pia');
    const { username: login, password } = person;
    expect(await as(null).post('/session', { login, password })).toMatchObject({ status: 401 });
    expect(await as(person).get('/user')).toMatchObject({ status: 200 });
  });
});

describe('signing in with a second factor', () => {
  test('a one-time password is asked for, and leads to what somebody wanted to see', async () => {
    const { person, secret } = await guarded('bob');
    const page = await anonymous();
    await page.goto('/profile');
    await page.getByLabel('Username or e-mail').fill(person.username);
    await page.getByLabel('Password').fill(person.password);
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

  test('who has shown the password only is nobody yet, and for ten minutes', async () => {
    const { person, secret } = await guarded('carl');
    const { visitor, show } = await half(person);
    expect(await visitor.get('/profile')).toMatchObject({ status: 302 });
    const cookie = { Cookie: `_millrace_session=${visitor.cookie}` };
    expect((await as(null).fetch('/user', { headers: cookie })).status).toBe(401);
    const where = { userId: person.id, needsSecondFactor: true };
    const { expiresAt } = await db.browserSession.findFirstOrThrow({ where });
    expect(Number(expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
    await db.browserSession.updateMany({ where, data: { expiresAt: new Date() } });
    expect(await show(passwordOf(secret))).toMatchObject({
      status: 303,
      location: '/users/sign_in',
    });
  });

  test('the session is a new one afterwards', async () => {
    const { person, secret } = await guarded('dora');
    const { visitor, show } = await half(person);
    const before = visitor.cookie;
    expect(await show(passwordOf(secret))).toMatchObject({ status: 303, location: '/' });
    expect(visitor.cookie).not.toBe(before);
    expect(await visitorAt(url, before).get('/profile')).toMatchObject({ status: 302 });
    expect(await visitor.get('/profile')).toMatchObject({ status: 200 });
  });

  test('a one-time password is taken once, also of two who show it side by side', async () => {
    const { person, secret } = await guarded('eve');
    const both = await Promise.all([half(person), half(person)]);
    const code = passwordOf(secret);
    const statuses = await Promise.all(both.map(async ({ show }) => (await show(code)).status));
    expect(statuses.toSorted()).toEqual([303, 401]);
    const third = await half(person);
    expect((await third.show(code)).status).toBe(401);
    expect((await third.show(passwordOf(secret, -1))).status).toBe(401);
    expect((await third.show(passwordOf(secret, 1))).status).toBe(303);
  });

  test.each([-2, -1, 0, 1, 2])('clocks may differ by a period, not by two: %i', (steps) => {
    const secret = newSecret();
    const now = Date.UTC(2026, 0, 1);
    const shown = passwordOf(secret, steps, now);
    const step = now / 30_000 + steps;
    expect(stepOf(secret, shown, now)).toBe(Math.abs(steps) < 2 ? step : null);
  });

  test('a recovery code stands in once, however it is typed', async () => {
    const { person, codes } = await guarded('frida');
    const [first = '', second = ''] = codes;
    const { show } = await half(person);
    expect((await show(` ${first.toUpperCase().replace('-', ' ')} `)).status).toBe(303);
    const again = await half(person);
    expect((await again.show(first)).status).toBe(401);
    const stranger = await guarded('gus');
    expect((await (await half(stranger.person)).show(second)).status).toBe(401);
    expect((await again.show(second)).status).toBe(303);
  });

  test('failures are counted for each account, and a right password does not undo them', async () => {
    const { person, secret } = await guarded('hal');
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const { show } = await half(person);
      expect((await show('000000x')).status).toBe(401);
    }
    const { show } = await half(person);
    const answer = await show(passwordOf(secret));
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('who is blocked meanwhile stays out', async () => {
    const { person, secret } = await guarded('ida');
    const { show } = await half(person);
    await as(root).post(`/users/${person.id}/block`);
    expect(await show(passwordOf(secret))).toMatchObject({ location: '/users/sign_in' });
  });
});

describe('changing it', () => {
  test('new recovery codes take the place of the old ones', async () => {
    const { person, page, codes } = await guarded('jan');
    await page.goto('/profile/two_factor');
    await page.locator('#renew-password').fill('not his');
    await page.getByRole('button', { name: 'Generate new codes' }).click();
    expect(await page.locator('#renew-password-fault').innerText()).toBe(
      'Current password is wrong.',
    );
    await expectAccessible(page);
    await page.locator('#renew-password').fill(person.password);
    await page.getByRole('button', { name: 'Generate new codes' }).click();
    const fresh = await page.locator('.codes li').allInnerTexts();
    expect(fresh).toHaveLength(10);
    expect(fresh.some((code) => codes.includes(code))).toBe(false);
    const { show } = await half(person);
    expect((await show(codes[0] ?? '')).status).toBe(401);
    expect((await show(fresh[0] ?? '')).status).toBe(303);
  });

  test('turning it off asks for the password, and signs other browsers out', async () => {
    const { person, page, secret } = await guarded('lea');
    const { visitor, show } = await half(person);
    await show(passwordOf(secret));
    await page.goto('/profile/two_factor');
    await page.locator('#disable-password').fill(person.password);
    await page.getByRole('button', { name: 'Turn off' }).click();
    expect(pathOf(page.url())).toBe('/profile/two_factor');
    expect(await page.locator('main').innerText()).toContain('Two-factor authentication is off.');
    expect(await visitor.get('/profile')).toMatchObject({ status: 302 });
    expect(await db.recoveryCode.count({ where: { userId: person.id } })).toBe(0);
    expect(await visitorAt(url).signIn(person)).toMatchObject({ location: '/' });
  });

  test('an administrator turns it off for somebody who lost it; nobody else does', async () => {
    const { person } = await guarded('max');
    const turnOff = async (by: TestUser | null) => {
      const answer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(by && { 'Private-Token': by.token }),
        },
        body: JSON.stringify({ query: `mutation { disableTwoFactorOf(user: ${person.id}) }` }),
      });
      return answer.json();
    };
    const refusal = { errors: [{ extensions: { code: 'FORBIDDEN' } }] };
    expect(await turnOff(null)).toMatchObject(refusal);
    expect(await turnOff(person)).toMatchObject(refusal);
    expect(await turnOff(root)).toEqual({ data: { disableTwoFactorOf: true } });
    expect(await visitorAt(url).signIn(person)).toMatchObject({ location: '/' });
  });
});
