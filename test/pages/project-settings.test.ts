import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { png } from '../support/form.ts';
import type { TestUser } from '../support/seed.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { seed, url, as, root } = await world();
const { signedIn } = await browser(url);
const ada = await seed.user('ada');
const max = await seed.user('max');
const dev = await seed.user('dev');
const eve = await seed.user('eve');
await seed.group('acme', { owner: ada, master: max, developer: dev }, { visibility: 'public' });
await seed.group('target', {}, { visibility: 'public' });

const hostile = '"><script>alert(1)</script>';
const settings = (path: string) => as(root).get(`/projects/${encodeURIComponent(path)}`);

async function press(page: Page, name: string, place = 'main'): Promise<number> {
  const [response] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.locator(place).getByRole('button', { name, exact: true }).click(),
  ]);
  await page.waitForLoadState();
  return response.status();
}

const general = 'section[aria-labelledby=general]';
const permissions = 'section[aria-labelledby=permissions]';

async function projectOf(name: string) {
  await seed.project(`acme/${name}`, {}, { visibility: 'public' });
  return `/acme/${name}/edit`;
}

describe('the settings of a project', () => {
  test('are saved by their forms', async () => {
    const address = await projectOf('app');
    await seed.push('acme/app', { 'README.md': '# App\n' });
    const page = await signedIn(ada);
    await page.goto(address);
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('The App');
    await page.getByLabel('Description').fill(hostile);
    await page.getByLabel('Topics').fill('one, two,, three');
    const avatar = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(png()) };
    await page.getByLabel('Avatar').setInputFiles(avatar);
    expect(await press(page, 'Save changes', general)).toBe(303);
    expect(await page.getByRole('status').innerText()).toBe('Your changes were saved.');
    expect(await page.locator('main img.avatar').count()).toBe(2);
    await expectAccessible(page);
    await page.getByLabel('Internal').check();
    await page.getByLabel('Wiki').uncheck();
    await page.getByLabel('The pipeline must succeed').check();
    expect(await press(page, 'Save changes', permissions)).toBe(303);
    expect(await settings('acme/app')).toMatchObject({
      body: {
        name: 'The App',
        description: hostile,
        tag_list: ['one', 'two', 'three'],
        visibility: 'internal',
        wiki_enabled: false,
        issues_enabled: true,
        only_allow_merge_if_pipeline_succeeds: true,
      },
    });
    await page.getByLabel('Remove the avatar').check();
    await press(page, 'Save changes', general);
    expect(await page.locator('main img.avatar').count()).toBe(0);
  });

  test('are not saved with errors, which keep what was entered', async () => {
    const page = await signedIn(ada);
    await page.goto(await projectOf('faulty'));
    await page.getByLabel('Name', { exact: true }).fill(hostile);
    await page.getByLabel('Topics').fill('kept');
    const avatar = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no image') };
    await page.getByLabel('Avatar').setInputFiles(avatar);
    expect(await press(page, 'Save changes', general)).toBe(422);
    expect(await page.locator('#name-fault').innerText()).toContain('Name can contain only');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(hostile);
    expect(await page.getByLabel('Topics').inputValue()).toBe('kept');
    await expectAccessible(page);
    await page.getByLabel('Name', { exact: true }).fill('fine');
    await page.getByLabel('Avatar').setInputFiles(avatar);
    expect(await press(page, 'Save changes', general)).toBe(422);
    expect(await page.locator('#avatar-fault').innerText()).toContain('only images allowed');
  });

  test('of masters leave out what needs an owner', async () => {
    const address = await projectOf('mastered');
    const page = await signedIn(max);
    await page.goto(address);
    expect(await page.getByLabel('Name', { exact: true }).count()).toBe(0);
    expect(await page.getByLabel('Private').count()).toBe(0);
    expect(await page.locator('main').innerText()).not.toContain('Delete project');
    await expectAccessible(page);
    await page.getByLabel('Description').fill('By Max');
    expect(await press(page, 'Save changes', general)).toBe(303);
    const visitor = visitorAt(url);
    await visitor.signIn(max);
    const confirmation = { confirmation: 'acme/mastered' };
    expect((await visitor.submit(`${address}/delete`, confirmation)).status).toBe(403);
    expect((await visitor.submit(`${address}/archive`)).status).toBe(403);
    expect((await visitor.submit(`${address}/transfer`, { namespace_id: 'target' })).status).toBe(
      403,
    );
    expect((await visitor.submit(`${address}/permissions`, { visibility: 'private' })).status).toBe(
      403,
    );
    expect(await settings('acme/mastered')).toMatchObject({ body: { visibility: 'public' } });
  });

  test.each([
    ['a developer', dev, 403],
    ['a user who is no member', eve, 403],
  ] as const)('are closed to %s', async (_name, user: TestUser, status) => {
    await seed.project(`acme/closed-to-${user.username}`, {}, { visibility: 'public' });
    const address = `/acme/closed-to-${user.username}/edit`;
    const visitor = visitorAt(url);
    await visitor.signIn(user);
    expect((await visitor.get(address)).status).toBe(status);
    expect((await visitor.submit(`${address}/general`, { description: 'x' })).status).toBe(status);
    expect((await visitorAt(url).get(address)).status).toBe(302);
    expect((await visitor.get(`${address}/nothing`)).status).toBe(404);
    expect((await visitor.submit(`${address}/nothing`)).status).toBe(404);
  });

  test('are missing in a project that the user may not see', async () => {
    await seed.project('acme/hidden');
    const visitor = visitorAt(url);
    await visitor.signIn(eve);
    expect((await visitor.get('/acme/hidden/edit')).status).toBe(404);
    expect((await visitor.submit('/acme/hidden/star')).status).toBe(404);
  });
});

describe('the advanced settings', () => {
  test('archive, rename and delete a project', async () => {
    const page = await signedIn(ada);
    await page.goto(await projectOf('moving'));
    await page.locator('summary').filter({ hasText: 'Archive project' }).click();
    expect(await press(page, 'Archive project')).toBe(303);
    expect(await settings('acme/moving')).toMatchObject({ body: { archived: true } });
    expect(await press(page, 'Unarchive')).toBe(303);
    expect(await settings('acme/moving')).toMatchObject({ body: { archived: false } });
    await page.getByLabel('Path', { exact: true }).fill('tree');
    expect(await press(page, 'Change path')).toBe(422);
    expect(await page.locator('#path-fault').innerText()).toBe('Path tree is a reserved name.');
    await expectAccessible(page);
    await page.getByLabel('Path', { exact: true }).fill('moved');
    expect(await press(page, 'Change path')).toBe(303);
    expect(new URL(page.url()).pathname).toBe('/acme/moved/edit');
    await page.locator('summary').filter({ hasText: 'Delete project' }).click();
    await page.getByLabel('to confirm').fill('moved');
    expect(await press(page, 'Delete project')).toBe(422);
    await expectAccessible(page);
    expect((await settings('acme/moved')).status).toBe(200);
    await page.getByLabel('to confirm').fill('acme/moved');
    expect(await press(page, 'Delete project')).toBe(303);
    expect((await settings('acme/moved')).status).toBe(404);
  });

  test('run housekeeping once an hour', async () => {
    const page = await signedIn(max);
    await page.goto(await projectOf('swept'));
    expect(await press(page, 'Run housekeeping')).toBe(303);
    expect(await press(page, 'Run housekeeping')).toBe(422);
    await expectAccessible(page);
  });

  test('let an owner transfer a project into another namespace', async () => {
    const page = await signedIn(ada);
    await page.goto(await projectOf('travelling'));
    const namespaces = page.getByLabel('Namespace').getByRole('option');
    expect(await namespaces.allInnerTexts()).toEqual(['ada', 'acme']);
    expect(await press(page, 'Transfer project')).toBe(422);
    expect(await page.locator('#namespace_id-fault').isVisible()).toBe(true);
    await expectAccessible(page);
    await page.getByLabel('Namespace').selectOption('ada');
    expect(await press(page, 'Transfer project')).toBe(303);
    expect(new URL(page.url()).pathname).toBe('/ada/travelling/edit');
    const { body } = await as(root).get('/groups/target');
    const { id } = body as { readonly id: number };
    const visitor = visitorAt(url);
    await visitor.signIn(ada);
    for (const namespace_id of [String(id), '0', hostile]) {
      const form = { namespace_id };
      expect((await visitor.submit('/ada/travelling/edit/transfer', form)).status).toBe(422);
    }
  });

  test('remove the relation of a fork', async () => {
    const { id } = await seed.project('acme/origin', {}, { visibility: 'public' });
    await seed.push('acme/origin', { 'a.txt': 'a' });
    expect((await as(eve).post(`/projects/${id}/fork`)).status).toBe(201);
    const page = await signedIn(eve);
    await page.goto('/eve/origin/edit');
    await page.locator('summary').filter({ hasText: 'Remove fork relation' }).click();
    expect(await press(page, 'Remove fork relation')).toBe(303);
    const { body } = await settings('eve/origin');
    expect(body).not.toHaveProperty('forked_from_project');
  });
});

test('a star is given and removed', async () => {
  await projectOf('starred');
  const page = await signedIn(eve);
  await page.goto('/acme/starred');
  await press(page, 'Star');
  expect(await settings('acme/starred')).toMatchObject({ body: { star_count: 1 } });
  await press(page, 'Unstar');
  expect(await settings('acme/starred')).toMatchObject({ body: { star_count: 0 } });
});
