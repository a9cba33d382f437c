import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, url } = server;
const ada = await seed.user('ada');
const dev = await seed.user('dev');
const guest = await seed.user('gus');
const { id } = await seed.project('ada/app', { developer: dev, guest }, { visibility: 'public' });
await seed.push('ada/app', { 'README.md': '# The app\n' });
const { anonymous, signedIn } = await browser(url);
const hostile = '"><script>alert(1)</script>';
const releases = `/projects/${id}/releases`;
const release = (tag: string, fields: object = {}) =>
  server.as(dev).post(releases, { tag_name: tag, ref: 'master', description: 'Notes', ...fields });

const visitorOf = async (user: typeof ada) => {
  const visitor = visitorAt(url);
  await visitor.signIn(user);
  return visitor;
};

describe('a developer', () => {
  test('creates the first release of a project with its tag, links and notes', async () => {
    const page = await signedIn(dev);
    await page.goto('/ada/app/releases');
    expect(await page.getByText('There are no releases yet').isVisible()).toBe(true);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New release' }).click();
    await expectAccessible(page);
    await page.getByLabel('Tag', { exact: true }).fill('rel/1.0');
    await page.getByLabel('Title').fill(hostile);
    await page.getByLabel('Release notes').fill('Much **faster**');
    await page.getByRole('button', { name: 'Create release' }).click();
    expect(new URL(page.url()).pathname).toBe('/ada/app/releases/rel/1.0');
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toContain(hostile);
    expect(await page.locator('strong').textContent()).toBe('faster');
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Program');
    await page.getByLabel('Address').fill('https://example.com/app.bin');
    await page.getByLabel('Type').selectOption('package');
    await page.getByRole('button', { name: 'Add link' }).click();
    await expectAccessible(page);
    await page.getByLabel('Title').fill('First');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const link = page.getByRole('link', { name: 'Program' });
    expect(await link.getAttribute('href')).toBe('https://example.com/app.bin');
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('First');

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Delete Program' }).click();
    expect(await page.getByText('This release has no links yet.').isVisible()).toBe(true);
    await page.locator('summary', { hasText: 'Delete release' }).click();
    await page.getByRole('button', { name: 'Delete release' }).click();
    expect(new URL(page.url()).pathname).toBe('/ada/app/releases');
    expect((await server.as(ada).get(`${releases}/rel%2F1.0`)).status).toBe(404);
    const tag = await server.as(ada).get(`/projects/${id}/repository/tags/rel%2F1.0`);
    expect(tag.status).toBe(200);
  });

  test('sees errors in the forms, which keep the input', async () => {
    await release('v2');
    const visitor = await visitorOf(dev);
    const created = await visitor.submitFrom('/ada/app/releases/new', '/ada/app/releases', {
      tag_name: 'bad..name',
      ref: 'master',
      name: hostile,
      description: 'Kept',
    });
    expect(created.status).toBe(422);
    expect(created.text).toContain('Kept</textarea>');
    expect(created.text).not.toContain('<script>alert');
    expect(created.text).toMatch(/class="(?:alert|fault)"/);
    const again = await visitor.submitFrom('/ada/app/releases/new', '/ada/app/releases', {
      tag_name: 'v2',
      description: 'Twice',
    });
    expect(again.status).toBe(422);
    expect(again.text).toContain('Release already exists.');
    const edit = '/ada/app/releases/v2/edit';
    const link = await visitor.submitFrom(edit, '/ada/app/releases/v2/links', {
      name: hostile,
      url: 'javascript:alert(1)',
    });
    expect(link.status).toBe(422);
    expect(link.text).toContain('Address must be a valid URL.');
    expect(link.text).toContain('value="&quot;&gt;&lt;script&gt;');
    const changed = await visitor.submitFrom(edit, edit, {
      name: 'a'.repeat(256),
      description: '',
    });
    expect(changed.status).toBe(422);
    expect(changed.text).toContain('Title is too long');
  });
});

describe('the list', () => {
  test('shows the newest first, in pages, with archives of the code', async () => {
    for (let n = 1; n <= 11; n += 1) await release(`list-${n}`);
    const { text } = await visitorAt(url).get('/ada/app/releases');
    expect(text).toContain('Page 1 of 2');
    expect(text.indexOf('list-11')).toBeLessThan(text.indexOf('list-10'));
    const archive = /href="([^"]*archive\.zip[^"]*)"/.exec(text)?.[1] ?? '';
    expect((await fetch(archive.replaceAll('&amp;', '&'))).status).toBe(200);
    const page = await anonymous({ width: 390, colorScheme: 'dark' });
    await page.goto('/ada/app/releases?page=2');
    await expectAccessible(page);
  });
});

describe('other users', () => {
  test('see releases, but no forms', async () => {
    await release('v3');
    const visitor = await visitorOf(guest);
    const { text } = await visitor.get('/ada/app/releases');
    expect(text).not.toContain('New release');
    expect((await visitor.get('/ada/app/releases/v3')).text).not.toContain('/edit"');
    for (const path of ['new', 'v3/edit']) {
      expect((await visitor.get(`/ada/app/releases/${path}`)).status).toBe(403);
      const asked = await visitorAt(url).get(`/ada/app/releases/${path}`);
      expect(asked.location).toContain('/users/sign_in');
    }
    for (const path of ['', '/v3/edit', '/v3/delete', '/v3/links', '/v3/links/delete']) {
      const { status } = await visitor.submit(`/ada/app/releases${path}`, {
        tag_name: 'v4',
        name: 'a',
        url: 'https://example.com',
        description: 'a',
        id: '1',
      });
      expect(status).toBe(403);
    }
    expect((await visitor.get('/ada/app/releases/none')).status).toBe(404);
    expect((await visitor.submit('/ada/app/releases/v3/other')).status).toBe(404);
  });

  test('find no releases of a project whose code they may not read', async () => {
    const { id: hidden } = await seed.project('ada/plans', { guest }, { visibility: 'private' });
    await seed.push('ada/plans', { 'README.md': '# Plans\n' });
    await server.as(ada).post(`/projects/${hidden}/releases`, { tag_name: 'v1', ref: 'master' });
    const visitor = await visitorOf(guest);
    expect((await visitor.get('/ada/plans/releases')).status).toBe(403);
    expect((await visitorAt(url).get('/ada/plans/releases')).status).toBe(404);
  });
});
