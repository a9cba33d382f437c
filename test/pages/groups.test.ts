import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser, press } from '../support/browser.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { seed, url, as, root } = await world();
const { anonymous, signedIn } = await browser(url);
const ada = await seed.user('ada');
const max = await seed.user('max');
const eve = await seed.user('eve', { canCreateGroup: false });
await seed.group('acme', { owner: ada, master: max }, { visibility: 'public' });
await seed.project('acme/app', {}, { visibility: 'public', description: 'An app' });
await seed.project('acme/hidden');

const hostile = '"><script>alert(1)</script>';

describe('a new group', () => {
  test('is created, and a subgroup in it', async () => {
    const page = await signedIn(ada);
    await page.goto('/groups/new');
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('Team');
    await page.getByLabel('Path', { exact: true }).fill('api');
    await page.getByLabel('Description').fill(hostile);
    await page.getByLabel('Public').check();
    expect(await press(page, 'Create group')).toBe(422);
    expect(await page.locator('#path-fault').innerText()).toBe('Path api is a reserved name.');
    expect(await page.getByLabel('Description').inputValue()).toBe(hostile);
    expect(await page.getByLabel('Public').isChecked()).toBe(true);
    await expectAccessible(page);
    await page.getByLabel('Path', { exact: true }).fill('team');
    expect(await press(page, 'Create group')).toBe(303);
    expect(new URL(page.url()).pathname).toBe('/groups/team');
    expect(await page.locator('main').innerText()).toContain('no projects in this group yet');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New subgroup' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Part');
    await page.getByLabel('Path', { exact: true }).fill('part');
    expect(await press(page, 'Create group')).toBe(303);
    expect(new URL(page.url()).pathname).toBe('/groups/team/part');
    await page.getByRole('link', { name: 'New project' }).last().click();
    const namespace = page.getByLabel('Namespace').locator('option[selected]');
    expect(await namespace.innerText()).toBe('team/part');
  });

  test('needs the permission to create one, and a subgroup an owner', async () => {
    const visitor = visitorAt(url);
    expect((await visitor.get('/groups/new')).status).toBe(302);
    await visitor.signIn(eve);
    expect((await visitor.get('/groups/new')).status).toBe(403);
    expect((await visitor.submit('/groups/new', { name: 'x', path: 'x' })).status).toBe(403);
    const { body } = await as(root).get('/groups/acme');
    const { id } = body as { readonly id: number };
    await visitor.signIn(max);
    expect((await visitor.get(`/groups/new?parent_id=${id}`)).status).toBe(403);
    const form = { name: 'x', path: 'x', parent_id: String(id) };
    expect((await visitor.submit('/groups/new', form)).status).toBe(403);
    expect((await as(root).get('/groups/acme%2Fx')).status).toBe(404);
  });
});

describe('the page of a group', () => {
  test('lists and searches its projects and subgroups', async () => {
    await seed.group('acme/tools', {}, { visibility: 'public', description: hostile });
    const page = await anonymous();
    await page.goto('/groups/acme');
    expect(await page.locator('main .entries .name').allInnerTexts()).toEqual(['tools', 'app']);
    expect(await page.getByText(hostile).isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'New project' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByLabel('Search this group').fill('app');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await page.locator('main .entries .name').allInnerTexts()).toEqual(['app']);
    const own = await signedIn(max, { width: 390 });
    await own.goto('/groups/acme');
    expect(await own.locator('main .entries .name').allInnerTexts()).toEqual([
      'tools',
      'app',
      'hidden',
    ]);
    expect(await own.locator('aside').innerText()).toContain('Members');
    expect(await own.getByRole('link', { name: 'New subgroup' }).count()).toBe(0);
    await expectAccessible(own);
    const width = await own.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
  });
});

describe('the settings of a group', () => {
  test('are saved, with errors at their fields', async () => {
    await seed.group('kept', { owner: ada }, { visibility: 'public' });
    const page = await signedIn(ada);
    await page.goto('/groups/kept/edit');
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill(hostile);
    expect(await press(page, 'Save changes')).toBe(422);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(hostile);
    expect(await page.locator('#name-fault').innerText()).toContain('can contain only');
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    await page.getByLabel('Path', { exact: true }).fill('renamed');
    await page.getByLabel('Internal').check();
    await page.getByLabel('Access requests').check();
    expect(await press(page, 'Save changes')).toBe(303);
    expect(new URL(page.url()).pathname).toBe('/groups/renamed/edit');
    expect(await page.getByRole('status').innerText()).toBe('Your changes were saved.');
    expect(await as(root).get('/groups/renamed')).toMatchObject({
      body: { name: 'Renamed', visibility: 'internal', request_access_enabled: true },
    });
    await page.locator('summary').filter({ hasText: 'Delete group' }).click();
    const confirmation = page.locator('form[action$="/delete"]').getByLabel('to confirm');
    await confirmation.fill('other');
    expect(await press(page, 'Delete group')).toBe(422);
    await expectAccessible(page);
    await confirmation.fill('renamed');
    expect(await press(page, 'Delete group')).toBe(303);
    expect((await as(root).get('/groups/renamed')).status).toBe(404);
  });

  test.each([
    ['without scripts', false],
    ['with scripts', true],
  ] as const)('transfer the group %s', async (_name, scripts) => {
    const [name, goal] = scripts ? ['rover', 'port'] : ['walker', 'harbour'];
    await seed.group(goal, { owner: ada });
    await seed.group(name, { owner: ada });
    await seed.group(`${name}/inner`);
    await seed.project(`${name}/inner/app`);
    const page = await signedIn(ada, { javaScriptEnabled: scripts });
    await page.goto(`/groups/${name}/edit`);
    await page.locator('summary').filter({ hasText: 'Transfer group' }).click();
    await expectAccessible(page);
    const suggested = await page
      .locator('datalist option')
      .evaluateAll((options) => options.map((option) => option.getAttribute('value')));
    expect(suggested).toContain(goal);
    expect(suggested).not.toContain(`${name}/inner`);
    expect(suggested).not.toContain(name);
    const form = page.locator('form[action$="/transfer"]');
    const parent = form.getByLabel('New parent group');
    await parent.fill(hostile);
    await form.getByLabel('to confirm').fill('other');
    expect(await press(page, 'Transfer group')).toBe(422);
    expect(await parent.inputValue()).toBe(hostile);
    expect(await form.getByLabel('to confirm').inputValue()).toBe('other');
    expect(await page.locator('#transfer-confirmation-fault').innerText()).toBe(
      'Confirmation is not the path of the group.',
    );
    await expectAccessible(page);
    for (const [path, fault] of [
      [hostile, 'The group was not found.'],
      [`${name}/inner`, 'Transfer failed: Cannot transfer group to one of its subgroup.'],
      ['', 'Transfer failed: Group is already a root group.'],
    ] as const) {
      await parent.fill(path);
      await form.getByLabel('to confirm').fill(name);
      expect(await press(page, 'Transfer group')).toBe(422);
      expect(await page.locator('#parent-fault').innerText()).toBe(fault);
      expect(await parent.inputValue()).toBe(path);
    }
    await expectAccessible(page);
    await parent.fill(goal);
    expect(await press(page, 'Transfer group')).toBe(303);
    expect(new URL(page.url()).pathname).toBe(`/groups/${goal}/${name}/edit`);
    expect(await page.getByRole('status').innerText()).toBe('Your changes were saved.');
    await page.goto(`/${name}/inner/app`);
    expect(new URL(page.url()).pathname).toBe(`/${goal}/${name}/inner/app`);
    await page.goto(`/groups/${goal}/${name}/edit`);
    await page.locator('summary').filter({ hasText: 'Transfer group' }).click();
    await form.getByLabel('to confirm').fill(`${goal}/${name}`);
    expect(await press(page, 'Transfer group')).toBe(303);
    expect(new URL(page.url()).pathname).toBe(`/groups/${name}/edit`);
  });

  test('are closed to masters, and missing in groups that the user may not see', async () => {
    await seed.group('secret', { owner: ada });
    const visitor = visitorAt(url);
    await visitor.signIn(max);
    expect((await visitor.get('/groups/acme/edit')).status).toBe(403);
    expect((await visitor.submit('/groups/acme/edit', { name: 'Taken' })).status).toBe(403);
    const confirmation = { confirmation: 'acme' };
    expect((await visitor.submit('/groups/acme/edit/delete', confirmation)).status).toBe(403);
    expect((await visitor.submit('/groups/acme/edit/transfer', confirmation)).status).toBe(403);
    expect((await visitorAt(url).get('/groups/acme/edit')).status).toBe(302);
    expect((await visitor.get('/groups/secret/edit')).status).toBe(404);
    expect((await visitor.get('/groups/acme/edit/nothing')).status).toBe(404);
    expect((await visitor.submit('/groups/acme/edit/nothing')).status).toBe(404);
  });
});

test('the page of a user has their projects, groups, stars and activity', async () => {
  await seed.project('ada/own', {}, { visibility: 'public', description: hostile });
  await as(ada).post('/projects/acme%2Fapp/star');
  await as(ada).post('/projects/acme%2Fapp/issues', { title: hostile });
  await as(root).put(`/users/${ada.id}`, { bio: hostile, website_url: 'javascript:alert(1)' });
  const page = await signedIn(max);
  await page.goto('/ada');
  expect(await page.locator('main .entries .name').allInnerTexts()).toEqual(['own']);
  expect(await page.locator('main a[href^="javascript:"]').count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: /^Groups \(\d/ }).click();
  expect(await page.locator('main .entries .name').allInnerTexts()).toContain('acme');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Starred projects (1)' }).click();
  expect(await page.locator('main .entries .name').allInnerTexts()).toEqual(['acme / app']);
  await page.getByRole('link', { name: 'Activity' }).click();
  expect(await page.locator('main').innerText()).toContain(`opened issue #1 “${hostile}”`);
  await expectAccessible(page);
  const visitor = await anonymous();
  await visitor.goto('/ada?tab=groups');
  expect(await visitor.locator('main').innerText()).not.toContain('acme');
  await visitor.goto('/ada?tab=constructor');
  expect(await visitor.locator('main').innerText()).toContain('own');
});
