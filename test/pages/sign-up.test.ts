import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as, root } = await world({
  variables: { MILLRACE_TRUSTED_PROXIES: '127.0.0.0/8,::1' },
});
const { anonymous } = await browser(url);
await seed.user('ada');

const pathOf = (address: string) => address.slice(url.length);
const set = (settings: Readonly<Record<string, unknown>>) =>
  as(root).put('/application/settings', settings);

const eve = {
  name: 'Eve',
  username: 'eve',
  email: 'eve@example.com',
  password: 'a password of eve',
} as const;

async function signUp(page: Page, account: Readonly<Record<keyof typeof eve, string>>) {
  await page.goto('/users/sign_up');
  await page.getByLabel('Name', { exact: true }).fill(account.name);
  await page.getByLabel('Username').fill(account.username);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign up' }).click();
}

/** Uses a new address each time, as sign-ups are throttled by address. */
let addresses = 0;
function attempt(account: Readonly<Record<string, string>>, from?: string) {
  addresses += 1;
  const headers = { 'X-Forwarded-For': from ?? `10.0.${addresses}.1` };
  return visitorAt(url).submitFrom('/users/sign_in', '/users/sign_up', account, headers);
}

describe('signing up', () => {
  test('creates an account and signs in', async () => {
    const page = await anonymous();
    await page.goto('/users/sign_in');
    await page.locator('main').getByRole('link', { name: 'Sign up' }).click();
    await expectAccessible(page);
    await signUp(page, eve);
    expect(pathOf(page.url())).toBe('/');
    expect(await page.getByRole('navigation', { name: 'Main' }).innerText()).toContain('eve');
    expect(await as(root).get('/users?username=eve')).toMatchObject({
      body: [{ name: 'Eve', email: 'eve@example.com', is_admin: false, state: 'active' }],
    });
    await page.goto('/users/sign_up');
    expect(pathOf(page.url())).toBe('/');
  });

  test('shows errors and keeps the input except the password', async () => {
    const page = await anonymous();
    await signUp(page, { ...eve, username: 'a b', email: 'eva@example.com', password: 'short' });
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Eve');
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    const described = await page.getByLabel('Password').getAttribute('aria-describedby');
    expect(described).toBe('password-hint password-fault');
    expect(await page.locator('#password-fault').innerText()).toBe(
      'Password is too short (minimum is 8 characters).',
    );
    expect(await page.locator('#username-fault').count()).toBe(1);
    await expectAccessible(page);
  });

  test.each([
    ['an existing username', { username: 'ADA' }, 'Username has already been taken.'],
    ['an existing e-mail address', { email: 'Ada@example.com' }, 'Email has already been taken.'],
    ['a missing name', { name: '' }, 'Name can&#39;t be blank'],
    ['a missing e-mail address', { email: '' }, 'E-mail is invalid'],
    ['a reserved username', { username: 'api' }, 'Username'],
    ['a long password', { password: 'x'.repeat(129) }, 'Password is too long'],
  ])('rejects %s', async (_name, change, text) => {
    const account = { ...eve, username: 'frida', email: 'frida@example.com', ...change };
    const response = await attempt(account);
    expect(response.status).toBe(422);
    expect(response.text).toContain(text);
    expect(await db.user.count({ where: { usernameKey: 'frida' } })).toBe(0);
  });

  test('ignores is_admin', async () => {
    await attempt({ ...eve, username: 'gus', email: 'gus@example.com', is_admin: 'true' });
    const gus = await db.user.findUniqueOrThrow({ where: { usernameKey: 'gus' } });
    expect(gus).toMatchObject({ isAdmin: false, canCreateGroup: true });
  });

  test('is throttled by address', async () => {
    const tries = Array.from({ length: 21 }, () => attempt({ ...eve, name: '' }, '10.9.9.9'));
    const responses = await Promise.all(tries);
    const throttled = responses.filter(({ status }) => status === 429);
    expect(throttled).toHaveLength(1);
    expect(Number(throttled[0]?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await attempt({ ...eve, name: '' })).status).toBe(422);
  });
});

describe('e-mail domains', () => {
  const from = (domain: string) =>
    attempt({ ...eve, username: `of-${domain}`, email: `ada@${domain}` });
  const notListed = 'E-mail domain is not authorized for sign-up.';
  const denied = 'E-mail is not from an allowed domain.';

  test.each([
    ['good.example', 303],
    ['UPPER.example', 303],
    ['sub.wild.example', 303],
    ['a.b.wild.example', 303],
    ['wild.example', 422],
    ['good.example.evil.example', 422],
    ['notgood.example', 422],
  ])('on the whitelist are accepted, others rejected: %s', async (domain, status) => {
    await set({ domain_whitelist: ['good.example', '*.wild.example', 'Upper.example'] });
    const response = await from(domain);
    expect(response.status).toBe(status);
    expect(response.text.includes(notListed)).toBe(status === 422);
  });

  test.each([
    ['bad.example', 422],
    ['very.bad.example', 422],
    ['fine.example', 303],
  ])('on the blacklist are rejected, others accepted: %s', async (domain, status) => {
    await set({
      domain_whitelist: [],
      domain_blacklist_enabled: true,
      domain_blacklist: ['bad.example', '*.bad.example'],
    });
    const response = await from(domain);
    expect(response.status).toBe(status);
    expect(response.text.includes(denied)).toBe(status === 422);
  });

  test('on both lists are accepted, and a disabled blacklist rejects none', async () => {
    await set({ domain_whitelist: ['one.bad.example'] });
    expect((await from('one.bad.example')).status).toBe(303);
    await set({ domain_whitelist: [], domain_blacklist_enabled: false });
    expect((await from('two.bad.example')).status).toBe(303);
  });
});

describe('disabled sign-up', () => {
  test('removes the page and the links to it, and /graphql has no mutation for it', async () => {
    await set({ signup_enabled: false });
    const page = await anonymous();
    await page.goto('/users/sign_in');
    expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);
    const missing = await page.goto('/users/sign_up');
    expect(missing?.status()).toBe(404);
    await expectAccessible(page);
    expect((await attempt({ ...eve, username: 'hal' })).status).toBe(404);
    const query = `mutation { signUp(input: { name: "H", username: "hal", email: "h@example.com",
      password: "a long password" }) { token } }`;
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    });
    expect(await db.user.count({ where: { usernameKey: 'hal' } })).toBe(0);
    await set({ signup_enabled: true });
  });
});
