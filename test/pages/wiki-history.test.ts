import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { commit, git, workTree } from '../support/git.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, url, remote } = server;
const ada = await seed.user('ada');
const dev = await seed.user('dev');
const guest = await seed.user('gus');
const { id } = await seed.project('ada/app', { developer: dev, guest }, { visibility: 'public' });
const { anonymous, signedIn } = await browser(url);
const wikis = `/projects/${id}/wikis`;
const api = server.as(dev);
const wiki = remote('ada/app.wiki', dev);
const folder = await workTree({ 'a.txt': 'a' });
afterAll(() => rm(folder, { recursive: true }));
const tip = async () => (await git(folder, 'ls-remote', wiki, 'master')).slice(0, 40);

const saved = async (title: string, content: string) => {
  await api.post(wikis, { title, content });
  return tip();
};
const changed = async (slug: string, fields: Readonly<Record<string, string>>) => {
  await api.put(`${wikis}/${encodeURIComponent(slug)}`, fields);
  return tip();
};

const visitorOf = async (user: typeof ada) => {
  const visitor = visitorAt(url);
  await visitor.signIn(user);
  return visitor;
};

describe('the history of a page', () => {
  test('lists versions, shows each with its changes, and restores one', async () => {
    const first = await saved('guides/history', 'One\n\nkept\n');
    await saved('unrelated', 'Nothing');
    const second = await changed('guides/history', { content: 'Two\n\nkept\n' });
    const page = await signedIn(dev);
    await page.goto('/ada/app/wikis/guides/history');
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await expectAccessible(page);
    const changes = page.getByRole('link', { name: /dev (created|updated) page/ });
    expect(await changes.allTextContents()).toEqual([
      'dev updated page: history',
      'dev created page: history',
    ]);
    await changes.first().click();
    expect(new URL(page.url()).pathname).toBe(`/ada/app/wiki_changes/${second}/guides/history`);
    await expectAccessible(page);
    expect(await page.locator('table.diff').textContent()).toMatch(/One[\s\S]*Two/);
    expect(await page.getByRole('link', { name: /View file/ }).count()).toBe(0);

    await page.goto(`/ada/app/wiki_versions/${first}/guides/history`);
    await expectAccessible(page);
    expect(await page.getByText('One', { exact: true }).count()).toBe(1);
    const notice = page.getByRole('status').getByRole('link');
    expect(await notice.getAttribute('href')).toBe('/ada/app/wikis/guides/history');
    await page.getByRole('link', { name: 'Restore this version' }).click();
    expect(await page.getByLabel('Content').inputValue()).toBe('One\n\nkept\n');
    await page.getByRole('button', { name: 'Save changes' }).click();
    expect((await api.get(`${wikis}/guides%2Fhistory`)).body).toMatchObject({
      content: 'One\n\nkept\n',
    });
  });

  test('leads over a new title to the versions before', async () => {
    await saved('Old name', 'The same text, long enough for a rename to be seen.');
    await changed('Old-name', { title: 'New name' });
    await changed('New-name', { content: 'The same text, changed.' });
    const page = await anonymous({ width: 390, colorScheme: 'dark' });
    await page.goto('/ada/app/wiki_history/New-name');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Show the versions before' }).click();
    expect(new URL(page.url()).pathname).toBe('/ada/app/wiki_history/Old-name');
    expect(await page.getByRole('status').textContent()).toContain('deleted or renamed');
    expect(await page.getByText('dev created page: Old name').count()).toBe(1);
    await expectAccessible(page);
  });

  test('remains after the deletion of the page, which a version restores', async () => {
    const before = await saved('lost', 'Text of the lost page');
    await server.as(ada).delete(`${wikis}/lost`);
    const after = await tip();
    const page = await signedIn(dev);
    await page.goto('/ada/app/wikis/lost');
    await page.getByRole('link', { name: 'Former versions of this page' }).click();
    expect(await page.getByText('ada deleted page: lost').count()).toBe(1);
    await page.goto(`/ada/app/wiki_versions/${after}/lost`);
    expect(await page.getByText('The page does not exist at this version').count()).toBe(1);
    await expectAccessible(page);
    await page.goto(`/ada/app/wiki_versions/${before}/lost`);
    await page.getByRole('link', { name: 'Restore this version' }).click();
    await page.getByRole('button', { name: 'Create page' }).click();
    expect((await api.get(`${wikis}/lost`)).body).toMatchObject({
      content: 'Text of the lost page',
    });
  });

  test('has pages', async () => {
    const clone = await workTree({ 'many.md': '0' });
    await git(clone, 'fetch', '--quiet', wiki, 'master');
    await git(clone, 'reset', '--quiet', '--hard', 'FETCH_HEAD');
    for (let count = 1; count <= 60; count += 1) {
      await commit(clone, { 'many.md': `${count}\n` }, `Version ${count}`);
    }
    await git(clone, 'push', '--quiet', wiki, 'HEAD:master');
    await rm(clone, { recursive: true });
    const visitor = await visitorOf(guest);
    const first = await visitor.get('/ada/app/wiki_history/many');
    expect(first.text).toContain('>Version 60<');
    expect(first.text).not.toContain('>Version 5<');
    const next = await visitor.get('/ada/app/wiki_history/many?page=2');
    expect(next.text).toContain('>Version 5<');
    expect(next.text).not.toContain('>Version 60<');
  });
});

describe('permissions', () => {
  test('readers restore nothing, and a disabled wiki has no history', async () => {
    const sha = await saved('seen', 'Text');
    const visitor = await visitorOf(guest);
    const shown = await visitor.get(`/ada/app/wiki_versions/${sha}/seen`);
    expect(shown.status).toBe(200);
    expect(shown.text).not.toContain('Restore this version');
    const { id: closed } = await seed.project('ada/closed', {}, { visibility: 'public' });
    await server.as(ada).post(`/projects/${closed}/wikis`, { title: 'home', content: 'x' });
    await server.as(ada).put(`/projects/${closed}`, { wiki_enabled: false });
    expect((await visitor.get('/ada/closed/wiki_history/home')).status).toBe(403);
    const { id: own } = await seed.project('ada/own', {}, { visibility: 'private' });
    await server.as(ada).post(`/projects/${own}/wikis`, { title: 'home', content: 'x' });
    expect((await visitor.get('/ada/own/wiki_history/home')).status).toBe(404);
  });

  test.each([
    'wiki_history/never',
    'wiki_history',
    'wiki_versions/master/seen',
    `wiki_versions/${'0'.repeat(40)}/seen`,
    'wiki_changes/abc',
  ])('%s does not exist', async (path) => {
    const visitor = await visitorOf(guest);
    expect((await visitor.get(`/ada/app/${path}`)).status).toBe(404);
  });

  test('a version is of the page that is asked for', async () => {
    const sha = await tip();
    const visitor = await visitorOf(guest);
    expect((await visitor.get(`/ada/app/wiki_versions/${sha}/never`)).status).toBe(404);
    expect((await visitor.get(`/ada/app/wiki_versions/${sha}/..%2Fa`)).status).toBe(404);
  });
});
