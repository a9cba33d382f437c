import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as, root } = await world();
const { signedIn, anonymous } = await browser(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');

const path = `/admin/users/${ada.id}/impersonation_tokens`;

describe('impersonation tokens', () => {
  test('are created, shown once, act as the user, and are revoked', async () => {
    const page = await signedIn(root);
    await page.goto(`/admin/users/${ada.id}`);
    await page.getByRole('link', { name: 'Impersonation tokens' }).click();
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('robot');
    await page.getByRole('checkbox', { name: /^api / }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    await expectAccessible(page);
    const token = await page.getByLabel('The new token').inputValue();
    expect((await as({ ...ada, token }).get('/user')).body).toMatchObject({ id: ada.id });
    await page.goto(path);
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Revoke robot' }).click();
    expect(await page.locator('main').innerText()).toContain('There are no active tokens.');
    expect(await as({ ...ada, token }).get('/user')).toEqual(refused.anonymous);
  });

  test('show errors next to the fields and keep the input', async () => {
    const page = await signedIn(root);
    await page.goto(path);
    await page.getByLabel('Name', { exact: true }).fill('late');
    await page.getByLabel('Expires').fill('2020-01-01');
    await page.getByRole('button', { name: 'Create token' }).click();
    await expectAccessible(page);
    const text = await page.locator('main').innerText();
    expect(text).toContain('Expiry date must be a day in the future.');
    expect(text).toContain("Scopes can't be blank.");
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('late');
    expect(await db.accessToken.count({ where: { name: 'late' } })).toBe(0);
  });

  test('belong to the user of the address', async () => {
    const { id } = await db.accessToken.create({
      data: {
        userId: bob.id,
        kind: 'impersonation',
        name: 'of bob',
        digest: Buffer.from('of bob'),
        scopes: ['api'],
      },
    });
    const page = await signedIn(root);
    await page.goto(path);
    expect(await page.content()).not.toContain('of bob');
    const authenticity_token = await page
      .locator('main input[name=authenticity_token]')
      .first()
      .inputValue();
    const form = { authenticity_token };
    const response = await page.request.post(`${url}${path}/${id}/revoke`, { form });
    expect(response.status()).toBe(404);
    expect(await db.accessToken.findUnique({ where: { id } })).toMatchObject({ revokedAt: null });
  });

  test('are shown to administrators only', async () => {
    const page = await signedIn(ada);
    expect((await page.goto(path))?.status()).toBe(404);
    const visitor = await anonymous();
    await visitor.goto(path);
    expect(new URL(visitor.url()).pathname).toBe('/users/sign_in');
  });
});
