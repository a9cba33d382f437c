import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as } = await world();
const { signedIn, anonymous } = await browser(url);
const ada = await seed.user('ada');

async function change(page: Page, current: string, next: string, confirmation = next) {
  await page.goto('/profile/password');
  await page.getByLabel('Current password').fill(current);
  await page.getByLabel('New password', { exact: true }).fill(next);
  await page.getByLabel('Confirm new password').fill(confirmation);
  const [response] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.getByRole('button', { name: 'Change password' }).click(),
  ]);
  return response.status();
}

const text = (page: Page) => page.locator('main').innerText();

const session = (login: string, password: string) => as(null).post('/session', { login, password });

describe('the password', () => {
  test('is changed, which signs out every other browser', async () => {
    const page = await signedIn(ada);
    const otherBrowser = await signedIn(ada);
    await page.goto('/profile/password');
    await expectAccessible(page);
    expect(await change(page, ada.password, 'another password')).toBe(200);
    await expectAccessible(page);
    expect(await text(page)).toContain('Your password was changed.');
    await page.goto('/profile/password');
    expect(new URL(page.url()).pathname).toBe('/profile/password');
    await otherBrowser.goto('/profile/password');
    expect(new URL(otherBrowser.url()).pathname).toBe('/users/sign_in');
    expect(await session('ada', ada.password)).toEqual(refused.anonymous);
    expect((await session('ada', 'another password')).status).toBe(201);
  });

  test('is unchanged if the current one is wrong or the new one is invalid', async () => {
    const bob = await seed.user('bob');
    const page = await signedIn(bob);
    expect(await change(page, 'wrong', 'another password')).toBe(422);
    expect(await text(page)).toContain('Current password is wrong.');
    await expectAccessible(page);
    expect(await page.getByLabel('Current password').inputValue()).toBe('');
    expect(await change(page, bob.password, 'short')).toBe(422);
    expect(await text(page)).toContain('New password is too short (minimum is 8 characters).');
    expect(await change(page, bob.password, 'x'.repeat(129))).toBe(422);
    expect(await text(page)).toContain('New password is too long (maximum is 128 characters).');
    expect(await change(page, bob.password, 'another password', 'other')).toBe(422);
    expect(await text(page)).toContain('Confirmation does not match the new password.');
    expect((await session('bob', bob.password)).status).toBe(201);
  });

  test('cannot be guessed: too many wrong ones throttle the account', async () => {
    const eve = await seed.user('eve');
    const page = await signedIn(eve);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 30 && statuses.at(-1) !== 429; attempt += 1) {
      statuses.push(await change(page, `guess ${attempt}`, 'another password'));
    }
    expect(statuses.at(-1)).toBe(429);
    expect(await text(page)).toContain('Too many attempts.');
    expect(await change(page, eve.password, 'another password')).toBe(429);
  });

  test('of a directory server is not changed here', async () => {
    const dave = await seed.user('dave');
    const page = await signedIn(dave);
    await page.goto('/profile/password');
    const authenticity_token = await page
      .locator('main input[name=authenticity_token]')
      .inputValue();
    await db.user.update({ where: { id: dave.id }, data: { passwordDigest: null } });
    await page.goto('/profile/password');
    expect(await text(page)).toContain('Your password is managed by a directory server');
    await expectAccessible(page);
    const form = {
      authenticity_token,
      current_password: '',
      new_password: 'another password',
      confirmation: 'another password',
    };
    const response = await page.request.post(`${url}/profile/password`, { form });
    expect(response.status()).toBe(403);
  });

  test('is not changed by forms of other sites or anonymous users', async () => {
    const carol = await seed.user('carol');
    const page = await signedIn(carol);
    const form = {
      current_password: carol.password,
      new_password: 'another password',
      confirmation: 'another password',
    };
    const response = await page.request.post(`${url}/profile/password`, { form });
    expect(response.status()).toBe(403);
    expect((await session('carol', carol.password)).status).toBe(201);
    const anonymousPage = await anonymous();
    await anonymousPage.goto('/profile/password');
    expect(new URL(anonymousPage.url()).pathname).toBe('/users/sign_in');
  });
});
