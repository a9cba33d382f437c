import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { world } from '../support/world.ts';

const { seed, url, db, as, root } = await world();
const { anonymous, signedIn } = await browser(url);
const ada = await seed.user('ada');

const pathOf = (address: string) => address.slice(url.length);
const set = (settings: Readonly<Record<string, unknown>>) =>
  as(root).put('/application/settings', settings);

describe('the welcome', () => {
  test('leads a user without projects through the first steps and ticks what is done', async () => {
    const carol = await seed.user('carol');
    const page = await signedIn(carol);
    await page.goto('/');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Welcome');
    const steps = page.locator('.steps > li');
    expect(await steps.count()).toBe(4);
    expect(await steps.filter({ hasText: 'Done:' }).count()).toBe(0);
    expect(await steps.filter({ hasText: 'Add a runner' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New group' }).last().click();
    await page.getByLabel('Name', { exact: true }).fill('Carols');
    await page.getByLabel('Path', { exact: true }).fill('carols');
    await page.getByRole('button', { name: 'Create group' }).click();
    await page.goto('/');
    expect(await steps.filter({ hasText: 'Done:' }).innerText()).toContain('Create a group');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New project' }).last().click();
    expect(pathOf(page.url())).toBe('/projects/new');
  });

  test('asks administrators for a runner, and only users who may create groups for a group', async () => {
    const page = await signedIn(root);
    await page.goto('/');
    expect(await page.locator('.steps').innerText()).toContain('Add a runner');
    const mia = await seed.user('mia', { canCreateGroup: false });
    const other = await signedIn(mia);
    await other.goto('/');
    expect(await other.locator('.steps').innerText()).not.toContain('Create a group');
  });

  test('asks users to change a password that another person set, until they do', async () => {
    const user = { username: 'ned', name: 'Ned', email: 'ned@example.com' };
    const { body } = await as(root).post('/users', { ...user, password: 'the first password' });
    const { id } = body as { id: number };
    const page = await signedIn({ ...user, id, token: '', password: 'the first password' });
    await page.goto('/');
    await page.getByRole('link', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill('the first password');
    await page.getByLabel('New password', { exact: true }).fill('his own password');
    await page.getByLabel('Confirm new password').fill('his own password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.goto('/');
    expect(await page.locator('.steps').innerText()).not.toContain('Change your password');
    await as(root).put(`/users/${id}`, { password: 'one of an administrator' });
    expect(await db.user.findUnique({ where: { id } })).toMatchObject({ isPasswordGiven: true });
  });

  test('leads users without projects of their own to those of others', async () => {
    const zoe = await seed.user('zoe', { projectsLimit: 0 });
    const page = await signedIn(zoe);
    await page.goto('/');
    expect(await page.locator('.steps').innerText()).not.toContain('Create a project');
  });
});

describe('home', () => {
  test('lists public projects for anonymous users', async () => {
    await seed.group('acme', { owner: ada }, { visibility: 'public' });
    const description = '"><script>alert(1)</script>';
    await seed.project(
      'acme/open',
      {},
      { visibility: 'public', description, tag_list: [description] },
    );
    await seed.project('acme/hidden');
    const page = await anonymous();
    await page.goto('/');
    const items = page.locator('main .entries > li');
    expect(await items.count()).toBe(1);
    expect(await items.innerText()).toContain(description);
    await expectAccessible(page);
  });

  test('lists the projects of a user, with tabs, search, order and activity', async () => {
    const page = await signedIn(ada);
    await db.project.updateMany({
      where: { path: 'open' },
      data: { lastActivityAt: new Date(Date.now() + 3_600_000) },
    });
    await page.goto('/');
    const names = page.locator('main .entries .name');
    expect(await names.allInnerTexts()).toEqual(['acme / open', 'acme / hidden']);
    await page.getByLabel('Sort by').selectOption('Name');
    await page.getByLabel('Search projects').fill('e');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await names.allInnerTexts()).toEqual(['acme / hidden', 'acme / open']);
    expect(new URL(page.url()).search).toBe('?search=e&sort=name');
    await page.getByLabel('Search projects').fill('nothing like it');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await page.locator('main').innerText()).toContain('No projects match your search.');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Starred' }).click();
    expect(await page.locator('main').innerText()).toContain('You have not starred a project yet.');
    await expectAccessible(page);
    await page.goto('/acme/open');
    await page.getByRole('button', { name: 'Star', exact: true }).click();
    await page.goto('/?list=starred');
    expect(await names.allInnerTexts()).toEqual(['acme / open']);
    await as(ada).post('/projects/acme%2Fopen/issues', { title: '"><script>' });
    await page.goto('/');
    expect(await page.getByRole('complementary').innerText()).toContain(
      'opened issue #1 “"><script>”',
    );
    await expectAccessible(page);
  });

  test('does not list what the user is no member of, which Explore does', async () => {
    await seed.group('other', {}, { visibility: 'public' });
    await seed.project('other/public', {}, { visibility: 'public' });
    await seed.project('other/secret');
    const page = await signedIn(ada);
    await page.goto('/');
    expect(await page.locator('main').innerText()).not.toContain('other');
    await page.locator('main').getByRole('link', { name: 'Explore', exact: true }).click();
    expect(await page.locator('main').innerText()).toContain('other / public');
    expect(await page.locator('main').innerText()).not.toContain('secret');
    await expectAccessible(page);
    await page.locator('main').getByRole('link', { name: 'Groups', exact: true }).click();
    expect(await page.locator('main').innerText()).toContain('other');
    await expectAccessible(page);
    await page.goto('/groups');
    expect(await page.locator('main .entries .name').allInnerTexts()).toEqual(['acme']);
    await expectAccessible(page);
  });

  test('is split into pages', async () => {
    const bob = await seed.user('bob');
    await seed.group('many', { owner: bob });
    for (let number = 1; number <= 21; number += 1) await seed.project(`many/p${number}`);
    const page = await signedIn(bob);
    await page.goto('/?search=many');
    const items = page.locator('main .entries > li');
    expect(await items.count()).toBe(20);
    expect(await page.getByRole('link', { name: 'Previous' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Next' }).click();
    expect(await items.count()).toBe(1);
    expect(await page.getByRole('link', { name: 'Next' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Previous' }).click();
    expect(await items.count()).toBe(20);
  });

  test('redirects anonymous users to the home page of the settings', async () => {
    await set({ home_page_url: `${url}/api/v4/version` });
    const page = await anonymous();
    await page.goto('/');
    expect(pathOf(page.url())).toBe('/api/v4/version');
    const own = await signedIn(ada);
    await own.goto('/');
    expect(await own.getByRole('heading', { level: 1 }).innerText()).toBe('Projects');
    await set({ home_page_url: '' });
  });

  test('redirects to an address with non-ASCII characters', async () => {
    await set({ home_page_url: 'https://example.org/žádost' });
    const { status, headers } = await fetch(`${url}/`, { redirect: 'manual' });
    expect([status, headers.get('Location')]).toEqual([
      302,
      'https://example.org/%C5%BE%C3%A1dost',
    ]);
    await set({ home_page_url: '' });
  });

  test.each([
    ['/dashboard/projects', '/'],
    ['/dashboard/projects/starred', '/?list=starred'],
    ['/dashboard/groups', '/groups'],
    ['/explore/projects', '/explore'],
  ])('is at %s, too, which redirects', async (address, target) => {
    const { status, headers } = await fetch(`${url}${address}`, { redirect: 'manual' });
    expect([status, headers.get('Location')]).toEqual([302, target]);
  });
});
