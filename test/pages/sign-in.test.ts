import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser, signIn } from '../support/browser.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as, root } = await world({
  settings: { signInText: 'Welcome <b>all</b>.\n\nAsk Root.' },
});
const { anonymous, signedIn } = await browser(url);
const ada = await seed.user('ada');

const pathOf = (address: string) => address.slice(url.length);
const set = (settings: Readonly<Record<string, unknown>>) =>
  as(root).put('/application/settings', settings);

describe('signing in', () => {
  test('returns to the requested page, and signing out ends the session', async () => {
    const page = await anonymous();
    await page.goto('/profile/two_factor');
    expect(pathOf(page.url())).toBe('/users/sign_in?return_to=%2Fprofile%2Ftwo_factor');
    await signIn(page, ada);
    expect(pathOf(page.url())).toBe('/profile/two_factor');
    expect(await db.browserSession.count({ where: { userId: ada.id } })).toBe(1);
    await page.locator('summary', { hasText: ada.username }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(pathOf(page.url())).toBe('/users/sign_in');
    expect(await db.browserSession.count({ where: { userId: ada.id } })).toBe(0);
    await page.goto('/profile');
    expect(pathOf(page.url())).toBe('/users/sign_in?return_to=%2Fprofile');
  });

  test('accepts an e-mail address', async () => {
    const page = await anonymous();
    await page.goto('/users/sign_in');
    await signIn(page, { ...ada, username: 'Ada@Example.com' });
    expect(pathOf(page.url())).toBe('/');
    expect(await page.getByRole('navigation', { name: 'Main' }).innerText()).toContain('ada');
  });

  test('shows an error for a wrong password and accepts the right one then', async () => {
    const page = await anonymous();
    await page.goto('/users/sign_in');
    expect(await page.locator('main').innerText()).toContain('Welcome <b>all</b>.');
    await expectAccessible(page);
    await page.getByLabel('Username or e-mail').fill('ada');
    await page.getByLabel('Password').fill('not hers');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').innerText()).toBe('Invalid login or password.');
    expect(await page.getByLabel('Username or e-mail').inputValue()).toBe('ada');
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await expectAccessible(page);
    await signIn(page, ada);
    expect(pathOf(page.url())).toBe('/');
  });

  test('redirects a signed-in user immediately', async () => {
    const page = await signedIn(ada);
    await page.goto('/users/sign_in?return_to=/profile');
    expect(pathOf(page.url())).toBe('/profile');
  });

  test('is disabled, with signing up, if password authentication is disabled', async () => {
    await set({ password_authentication_enabled: false });
    const page = await anonymous();
    await page.goto('/users/sign_in');
    expect(await page.locator('main').innerText()).toContain('disabled');
    expect(await page.getByLabel('Password').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);
    await expectAccessible(page);
    await set({ password_authentication_enabled: true });
  });
});

describe('signing out', () => {
  test('redirects to the path of the settings', async () => {
    await set({ after_sign_out_path: `${url}/api/v4/version` });
    const page = await signedIn(ada);
    await page.goto('/');
    await page.locator('summary', { hasText: ada.username }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(pathOf(page.url())).toBe('/api/v4/version');
    await set({ after_sign_out_path: '' });
  });
});

describe('the profile', () => {
  test('shows the account and links to its settings', async () => {
    const page = await signedIn(ada);
    await page.goto('/profile');
    expect(await page.locator('dd').allInnerTexts()).toEqual(['ada', 'ada@example.com', 'off']);
    const links = page.getByRole('navigation', { name: 'Your settings' }).getByRole('link');
    expect(await links.allInnerTexts()).toEqual([
      'Profile',
      'E-mail addresses',
      'Notifications',
      'Password',
      'Two-factor authentication',
      'SSH keys',
      'Access tokens',
      'Applications',
      'Sessions',
    ]);
    await expectAccessible(page);
  });

  test('signs out other browsers', async () => {
    const eve = await seed.user('eve');
    const page = await signedIn(eve);
    await page.goto('/profile/active_sessions');
    expect(await page.getByRole('button', { name: 'Sign out everywhere else' }).count()).toBe(0);
    const otherBrowser = visitorAt(url);
    await otherBrowser.signIn(eve);
    await page.goto('/profile/active_sessions');
    expect(await page.locator('main').innerText()).toContain('Another browser');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    expect(pathOf(page.url())).toBe('/profile/active_sessions?saved=1');
    expect(await page.getByRole('button', { name: 'Sign out everywhere else' }).count()).toBe(0);
    expect(await otherBrowser.get('/profile/active_sessions')).toMatchObject({ status: 302 });
  });
});
