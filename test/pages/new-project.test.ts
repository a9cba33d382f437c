import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser, press } from '../support/browser.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { seed, url, as, root } = await world();
const { signedIn } = await browser(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob', { projectsLimit: 1 });
await seed.group('acme', { master: ada, developer: bob }, { visibility: 'public' });
await seed.group('acme/tools', {}, { visibility: 'public' });
await seed.group('other', {}, { visibility: 'public' });

const hostile = '"><script>alert(1)</script>';
const pathOf = (page: Page) => new URL(page.url()).pathname;

describe('a new project', () => {
  test('is created in a group, with a README', async () => {
    const page = await signedIn(ada);
    await page.goto('/projects/new');
    await expectAccessible(page);
    const namespaces = page.getByLabel('Namespace').getByRole('option');
    expect(await namespaces.allInnerTexts()).toEqual(['ada', 'acme', 'acme/tools']);
    await page.getByLabel('Namespace').selectOption('acme/tools');
    await page.getByLabel('Name', { exact: true }).fill('My App');
    await page.getByLabel('Description').fill(hostile);
    await page.getByLabel('Public').check();
    await page.getByLabel('Add a README').check();
    expect(await press(page, 'Create project')).toBe(303);
    expect(pathOf(page)).toBe('/acme/tools/my-app');
    expect(await page.getByRole('link', { name: 'README.md' }).first().isVisible()).toBe(true);
    expect(await as(ada).get('/projects/acme%2Ftools%2Fmy-app')).toMatchObject({
      body: { visibility: 'public', description: hostile, default_branch: 'master' },
    });
    await expectAccessible(page);
  });

  test('is not created with errors, which are shown at their fields', async () => {
    const page = await signedIn(ada);
    await page.goto('/projects/new');
    await page.getByLabel('Name', { exact: true }).fill(hostile);
    await page.getByLabel('Description').fill(hostile);
    await page.getByLabel('Internal').check();
    expect(await press(page, 'Create project')).toBe(422);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(hostile);
    expect(await page.getByLabel('Description').inputValue()).toBe(hostile);
    expect(await page.getByLabel('Internal').isChecked()).toBe(true);
    expect(await page.locator('#name-fault').innerText()).toContain('Name can contain only');
    await expectAccessible(page);
  });

  test('is imported from a URL, which must be valid', async () => {
    const page = await signedIn(ada);
    await page.goto('/projects/new?from=url');
    await expectAccessible(page);
    await page.getByLabel('URL of the repository').fill('ftp://example.com/a.git');
    await page.getByLabel('Name', { exact: true }).fill('Imported');
    expect(await press(page, 'Import project')).toBe(422);
    expect(await page.locator('#import_url-fault').isVisible()).toBe(true);
    await page.getByLabel('URL of the repository').fill('http://127.0.0.1:1/none.git');
    expect([303, 422]).toContain(await press(page, 'Import project'));
  });

  test('of a user who reached the limit is refused with the reason', async () => {
    const page = await signedIn(bob);
    for (const [name, status] of [
      ['first', 303],
      ['second', 403],
    ] as const) {
      await page.goto('/projects/new');
      await page.getByLabel('Name', { exact: true }).fill(name);
      expect(await press(page, 'Create project')).toBe(status);
    }
    expect(await page.getByRole('alert').innerText()).toContain('Your project limit is 1');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('second');
    await expectAccessible(page);
  });

  test('is not created in a group of others', async () => {
    const page = await signedIn(bob);
    const { body } = await as(root).get('/groups/other');
    const { id } = body as { readonly id: number };
    await page.goto(`/projects/new?namespace_id=${id}`);
    expect(await page.getByLabel('Namespace').getByRole('option').allInnerTexts()).toEqual(['bob']);
    const visitor = visitorAt(url);
    await visitor.signIn(bob);
    const form = { name: 'mine', namespace_id: String(id) };
    expect((await visitor.submit('/projects/new', form)).status).toBe(422);
    expect((await as(root).get('/projects/other%2Fmine')).status).toBe(404);
  });

  test('needs a user who is signed in', async () => {
    const { status, location } = await visitorAt(url).get('/projects/new');
    expect([status, location]).toEqual([302, '/users/sign_in?return_to=%2Fprojects%2Fnew']);
  });
});

describe('a fork', () => {
  test('is created from its form, and listed', async () => {
    await seed.project('acme/app', {}, { visibility: 'public' });
    await seed.push('acme/app', { 'README.md': '# App\n' });
    const eve = await seed.user('eve');
    const page = await signedIn(eve);
    await page.goto('/acme/app/forks');
    expect(await page.locator('main').innerText()).toContain('There are no forks yet');
    await expectAccessible(page);
    await page.locator('.empty').getByRole('link', { name: 'Fork' }).click();
    await expectAccessible(page);
    await page.getByLabel('Path').fill('tree');
    expect(await press(page, 'Fork project')).toBe(422);
    expect(await page.locator('#path-fault').innerText()).toContain('reserved');
    await expectAccessible(page);
    await page.getByLabel('Path').fill('copy');
    expect(await press(page, 'Fork project')).toBe(303);
    expect(pathOf(page)).toBe('/eve/copy');
    await expect
      .poll(async () => (await page.goto('/eve/copy')) && page.locator('.readme').count())
      .toBe(1);
    await page.goto('/acme/app/forks');
    expect(await page.locator('main .entries .name').allInnerTexts()).toEqual(['eve / app']);
    await expectAccessible(page);
  });

  test('is not offered to anonymous users, and of code that the user may not read', async () => {
    expect((await visitorAt(url).get('/acme/app/forks/new')).status).toBe(302);
    await seed.project('acme/closed');
    const visitor = visitorAt(url);
    await visitor.signIn(bob);
    expect((await visitor.submit('/other/nothing/forks/new')).status).toBe(404);
    const gus = await seed.user('gus');
    await seed.project('other/guarded', { guest: gus });
    const guest = visitorAt(url);
    await guest.signIn(gus);
    expect((await guest.get('/other/guarded/forks/new')).status).toBe(403);
    const { status } = await guest.submit('/other/guarded/forks/new', { namespace_id: 'gus' });
    expect(status).toBe(403);
  });
});
