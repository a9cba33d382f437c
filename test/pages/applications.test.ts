import { randomBytes, randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import type { TestUser } from '../support/seed.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as, root } = await world();
const { signedIn, anonymous } = await browser(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');

const callback = 'https://reader.example/callback';

/** Fills in the form for an application and sends it. */
async function register(page: Page, name: string, uris = callback, scopes = ['api']) {
  await page.goto('/profile/applications/new');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Redirect URIs').fill(uris);
  for (const scope of scopes)
    await page.getByRole('checkbox', { name: new RegExp(`^${scope} `) }).check();
  await page.getByRole('button', { name: 'Register' }).click();
}

const applicationOf = (owner: TestUser, name: string) =>
  db.oauthApplication.findFirstOrThrow({ where: { ownerId: owner.id, name } });

const text = (page: Page) => page.locator('main').innerText();

/** Submits a form that no page contains; gives the status. */
async function post(page: Page, path: string, form: Record<string, string> = {}) {
  const response = await page.request.post(`${url}${path}`, { form, maxRedirects: 0 });
  return response.status();
}

const formToken = (page: Page) =>
  page.locator('main input[name=authenticity_token]').first().inputValue();

describe('registering an application', () => {
  test('creates it and shows its secret once', async () => {
    const page = await signedIn(ada);
    await page.goto('/profile/applications');
    await expectAccessible(page);
    expect(await text(page)).toContain('You have not registered any applications.');
    await page.getByRole('link', { name: 'New application' }).click();
    await expectAccessible(page);
    await register(page, 'Reader', `${callback}\n  com.example.app:/cb `, ['api', 'openid']);
    await expectAccessible(page);
    const secret = await page.getByLabel('Secret').inputValue();
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const application = await applicationOf(ada, 'Reader');
    expect(application).toMatchObject({
      redirectUris: [callback, 'com.example.app:/cb'],
      scopes: ['api', 'openid'],
      isConfidential: true,
      isTrusted: false,
    });
    await page.goto('/profile/applications');
    expect(await text(page)).toContain(application.uid);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Reader' }).click();
    await expectAccessible(page);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Reader');
    expect(await text(page)).toContain(application.uid);
    expect(await page.content()).not.toContain(secret);
  });

  test('shows errors next to the fields and keeps the input', async () => {
    const page = await signedIn(ada);
    await register(page, 'Odd', 'javascript:alert(1)', []);
    expect(page.url()).toBe(`${url}/profile/applications`);
    await expectAccessible(page);
    const uris = page.getByLabel('Redirect URIs');
    expect(await uris.inputValue()).toBe('javascript:alert(1)');
    expect(await uris.getAttribute('aria-invalid')).toBe('true');
    expect(await text(page)).toContain('Redirect URI is of a forbidden scheme.');
    expect(await text(page)).toContain("Scopes can't be blank.");
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Odd');
    expect(await db.oauthApplication.count({ where: { name: 'Odd' } })).toBe(0);
  });

  test('escapes markup in its name', async () => {
    const page = await signedIn(ada);
    const name = '<img src=x> "&amp;"';
    await register(page, name);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(name);
    await page.goto('/profile/applications');
    expect(await page.locator('main img').count()).toBe(0);
  });
});

describe('an application', () => {
  test('is edited, gets a new secret and is deleted', async () => {
    const page = await signedIn(ada);
    await register(page, 'Changing');
    const secret = await page.getByLabel('Secret').inputValue();
    await page.getByRole('link', { name: 'Edit' }).click();
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('Changed');
    await page.getByLabel('Confidential').uncheck();
    await page.getByLabel('Redirect URIs').fill('x');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await text(page)).toContain('Redirect URI must be an absolute URI.');
    expect(await page.getByLabel('Confidential').isChecked()).toBe(false);
    await page.getByLabel('Redirect URIs').fill('http://localhost:9/cb');
    await page.getByRole('button', { name: 'Save' }).click();
    const { id, ...changed } = await applicationOf(ada, 'Changed');
    expect(page.url()).toBe(`${url}/profile/applications/${id}`);
    expect(changed).toMatchObject({
      redirectUris: ['http://localhost:9/cb'],
      isConfidential: false,
      scopes: ['api'],
    });

    await page.getByText('Renew secret').first().click();
    await page.getByRole('button', { name: 'Renew secret' }).click();
    const renewed = await page.getByLabel('Secret').inputValue();
    expect(renewed).toMatch(/^[0-9a-f]{64}$/);
    expect(renewed).not.toBe(secret);

    await page.locator('summary', { hasText: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(page.url()).toBe(`${url}/profile/applications`);
    expect(await db.oauthApplication.count({ where: { id } })).toBe(0);
    expect((await page.goto(`/profile/applications/${id}`))?.status()).toBe(404);
  });

  test('responds with 404 to other users and to administrators', async () => {
    const own = await signedIn(ada);
    await register(own, 'Hers');
    const { id } = await applicationOf(ada, 'Hers');
    for (const user of [bob, root]) {
      const page = await signedIn(user);
      for (const path of ['', '/edit']) {
        const response = await page.goto(`/profile/applications/${id}${path}`);
        expect(response?.status()).toBe(404);
        expect(await page.content()).not.toContain('Hers');
      }
      await page.goto('/profile/applications/new');
      const authenticity_token = await formToken(page);
      const form = { authenticity_token, name: 'Stolen', redirect_uris: callback, scope_api: '1' };
      for (const path of ['', '/secret', '/delete']) {
        expect(await post(page, `/profile/applications/${id}${path}`, form)).toBe(404);
      }
    }
    expect(await applicationOf(ada, 'Hers')).toMatchObject({ id });
  });

  test.each(['0x1', '-1', '99999999999', 'nothing'])(
    'responds with 404 to the invalid id %s',
    async (id) => {
      const page = await signedIn(ada);
      for (const path of [id, `${id}/edit`]) {
        expect((await page.goto(`/profile/applications/${path}`))?.status()).toBe(404);
      }
    },
  );
});

describe('forms', () => {
  test('without a valid form token get 403', async () => {
    const page = await signedIn(ada);
    await register(page, 'Kept');
    const { id } = await applicationOf(ada, 'Kept');
    const otherPage = await signedIn(bob);
    await otherPage.goto('/profile/applications/new');
    const tokens = [
      {},
      { authenticity_token: 'x' },
      { authenticity_token: await formToken(otherPage) },
    ];
    for (const form of tokens) {
      for (const path of ['', `/${id}`, `/${id}/secret`, `/${id}/delete`, '/revoke']) {
        expect(await post(page, `/profile/applications${path}`, form)).toBe(403);
      }
    }
    const authenticity_token = await formToken(page);
    const crossSite = await page.request.post(`${url}/profile/applications/${id}/delete`, {
      form: { authenticity_token },
      headers: { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    });
    expect(crossSite.status()).toBe(403);
    expect(await applicationOf(ada, 'Kept')).toMatchObject({ id });
  });

  test('redirect an anonymous user to the sign-in page, which returns to them', async () => {
    const page = await anonymous();
    await page.goto('/profile/applications/new');
    expect(new URL(page.url()).pathname).toBe('/users/sign_in');
    expect(new URL(page.url()).searchParams.get('return_to')).toBe('/profile/applications/new');
  });
});

describe('authorized applications', () => {
  const token = (userId: number, applicationId: number | null) =>
    db.oauthToken.create({
      data: {
        userId,
        applicationId,
        digest: randomBytes(32),
        scopes: ['read_user'],
        family: randomUUID(),
        expiresAt: new Date(Date.now() + 7_200_000),
      },
    });

  test('are listed and revoked one by one', async () => {
    const carol = await seed.user('carol');
    const own = await signedIn(ada);
    await register(own, 'Mail & more');
    const { id } = await applicationOf(ada, 'Mail & more');
    await token(carol.id, id);
    await token(carol.id, null);
    const page = await signedIn(carol);
    await page.goto('/profile/applications');
    await expectAccessible(page);
    const row = page.getByRole('row', { name: /Mail & more/ });
    expect(await row.innerText()).toContain('read_user');
    await page.getByRole('button', { name: 'Revoke Mail & more' }).click();
    expect(page.url()).toBe(`${url}/profile/applications`);
    expect(await row.count()).toBe(0);
    await page.getByRole('button', { name: 'Revoke Applications that used' }).click();
    expect(await text(page)).toContain('There are no authorized applications.');
    const where = { userId: carol.id, revokedAt: null };
    expect(await db.oauthToken.count({ where })).toBe(0);
  });
});

describe('the setting user_oauth_applications', () => {
  test('hides the registration form when it is off', async () => {
    await as(root).put('/application/settings', { user_oauth_applications: false });
    const page = await signedIn(bob);
    await page.goto('/profile/applications');
    expect(await text(page)).toContain('Registering applications is disabled.');
    expect(await page.getByRole('link', { name: 'New application' }).count()).toBe(0);
    expect((await page.goto('/profile/applications/new'))?.status()).toBe(403);
    await expectAccessible(page);
    await as(root).put('/application/settings', { user_oauth_applications: true });
  });
});
