import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as } = await world();
const { signedIn, anonymous } = await browser(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');

const path = '/profile/personal_access_tokens';

async function create(page: Page, name: string, scopes: readonly string[], day = '') {
  await page.goto(path);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Expires').fill(day);
  for (const scope of scopes)
    await page.getByRole('checkbox', { name: new RegExp(`^${scope} `) }).check();
  await page.getByRole('button', { name: 'Create token' }).click();
}

const text = (page: Page) => page.locator('main').innerText();

describe('personal access tokens', () => {
  test('are created, shown once, valid for the API, listed and revoked', async () => {
    const page = await signedIn(ada);
    await page.goto(path);
    await expectAccessible(page);
    await create(page, 'laptop', ['api', 'read_user'], '2099-01-31');
    await expectAccessible(page);
    const token = await page.getByLabel('The new token').inputValue();
    expect((await as({ ...ada, token }).get('/user')).body).toMatchObject({ id: ada.id });
    await page.goto(path);
    expect(await page.content()).not.toContain(token);
    const row = page.getByRole('row', { name: /laptop/ });
    expect(await row.innerText()).toMatch(/api, read_user\s.*2099-01-31/s);
    await page.getByRole('button', { name: 'Revoke laptop' }).click();
    expect(page.url()).toBe(`${url}${path}`);
    expect(await row.count()).toBe(0);
    expect(await as({ ...ada, token }).get('/user')).toEqual(refused.anonymous);
  });

  test('show errors next to the fields and keep the input', async () => {
    const page = await signedIn(ada);
    await create(page, 'late', [], '2020-01-01');
    await expectAccessible(page);
    expect(await text(page)).toContain('Expiry date must be a day in the future.');
    expect(await text(page)).toContain("Scopes can't be blank.");
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('late');
    expect(await page.getByLabel('Expires').inputValue()).toBe('2020-01-01');
    const authenticity_token = await page
      .locator('main input[name=authenticity_token]')
      .first()
      .inputValue();
    for (const expires_at of ['tomorrow', '2099-02-30', '275760-09-13', '0000-01-01']) {
      const form = { authenticity_token, name: 'x', scope_api: '1', expires_at };
      const response = await page.request.post(`${url}${path}`, { form });
      expect(response.status()).toBe(422);
      expect(await response.text()).toContain('Expiry date is not a valid date.');
    }
    expect(await db.accessToken.count({ where: { name: { in: ['late', 'x'] } } })).toBe(0);
  });

  test('are split into pages', async () => {
    const eve = await seed.user('eve');
    await db.accessToken.createMany({
      data: Array.from({ length: 31 }, (_, n) => ({
        userId: eve.id,
        kind: 'personal' as const,
        name: `token ${n}`,
        digest: Buffer.from(`eve ${n}`),
        scopes: ['api'],
      })),
    });
    const page = await signedIn(eve);
    await page.goto(path);
    expect(await page.getByRole('row').count()).toBe(31);
    await page.getByRole('link', { name: 'Next' }).click();
    expect(await page.getByRole('row').count()).toBe(2);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Previous' }).click();
    expect(await page.getByRole('row').count()).toBe(31);
  });

  test('of another user respond with 404', async () => {
    const { id } = await db.accessToken.create({
      data: {
        userId: ada.id,
        kind: 'personal',
        name: 'hers',
        digest: Buffer.from('hers'),
        scopes: ['api'],
      },
    });
    const page = await signedIn(bob);
    await page.goto(path);
    expect(await text(page)).not.toContain('hers');
    const authenticity_token = await page
      .locator('main input[name=authenticity_token]')
      .first()
      .inputValue();
    const send = async (form: Record<string, string>, tokenId: number | string = id) =>
      (await page.request.post(`${url}${path}/${tokenId}/revoke`, { form })).status();
    expect(await send({ authenticity_token })).toBe(404);
    expect(await send({ authenticity_token }, 'x')).toBe(404);
    expect(await send({})).toBe(403);
    expect(await db.accessToken.findUnique({ where: { id } })).toMatchObject({ revokedAt: null });
  });

  test('redirect anonymous users to the sign-in page', async () => {
    const page = await anonymous();
    await page.goto(path);
    expect(new URL(page.url()).pathname).toBe('/users/sign_in');
  });
});

describe('the private token', () => {
  test('is reset and shown once', async () => {
    const carol = await seed.user('carol');
    const page = await signedIn(carol);
    await page.goto(path);
    const reset = async (password: string) => {
      await page.getByLabel('Current password').fill(password);
      await page.getByRole('button', { name: 'Reset private token' }).click();
      await expectAccessible(page);
    };
    await reset('not the password');
    expect(await text(page)).toContain('Current password is wrong.');
    expect((await as(carol).get('/user')).status).toBe(200);
    await reset(carol.password);
    const token = await page.getByLabel('Your new private token').inputValue();
    expect(await as(carol).get('/user')).toEqual(refused.anonymous);
    expect((await as({ ...carol, token }).get('/user')).body).toMatchObject({ id: carol.id });
    await page.goto(path);
    expect(await page.content()).not.toContain(token);
  });
});
