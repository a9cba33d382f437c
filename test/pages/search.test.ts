import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, url } = server;
const ada = await seed.user('ada');
const guest = await seed.user('gus');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const { id } = await seed.project(
  'acme/app',
  { guest },
  { visibility: 'public', snippets_enabled: true, description: 'Turns the mill wheel' },
);
const { id: hiddenId } = await seed.project('acme/mill-plans', {}, { visibility: 'private' });
await seed.push('acme/app', {
  'lib/wheel.ts': 'start();\nturnMillWheel();\nstop();\n',
  'lib/long.txt': `${'x'.repeat(2000)} wheelwright ${'y'.repeat(2000)}\n`,
});
const hostile = '"><script>alert(1)</script>';
const asAda = server.as(ada);
await asAda.post(`/projects/${id}/issues`, {
  title: `Wheel is stuck ${hostile}`,
  description: `${'Words. '.repeat(100)}The wheel squeaks.`,
});
await asAda.post(`/projects/${id}/issues/1/notes`, { body: 'Oil the wheel' });
await asAda.post(`/projects/${id}/milestones`, { title: 'Wheel 2.0' });
await asAda.post(`/projects/${id}/wikis`, { title: 'How to', content: 'Turn the wheel' });
await asAda.post(`/projects/${id}/snippets`, {
  title: 'Wheel snippet',
  file_name: 'wheel.rb',
  code: 'turn',
  visibility: 'public',
});
await asAda.post(`/projects/${hiddenId}/issues`, { title: 'Secret wheel' });
const { anonymous, signedIn } = await browser(url);

const visit = async (path: string, user = ada) => {
  const visitor = visitorAt(url);
  await visitor.signIn(user);
  return visitor.get(path);
};

describe('a search of everything', () => {
  test('finds records of each kind, keeps the kind in the address, and marks hits', async () => {
    const page = await signedIn(ada);
    await page.goto('/');
    await page.getByLabel('Search everything').last().fill('wheel');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?**');
    expect(await page.locator('main .entries mark').first().textContent()).toBe('wheel');
    await expectAccessible(page);
    const tabs = page.getByRole('navigation', { name: 'Kind of results' });
    await tabs.getByRole('link', { name: 'Issues' }).click();
    expect(new URL(page.url()).searchParams.get('scope')).toBe('issues');
    const row = page.locator('main .entries');
    expect(await row.textContent()).toContain(hostile);
    expect(await row.textContent()).toContain('squeaks');
    await expectAccessible(page);
    await page.getByLabel('Text').fill('oil');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    expect(new URL(page.url()).searchParams.get('scope')).toBe('issues');
    expect(await page.getByText('No results in issues').isVisible()).toBe(true);
    await expectAccessible(page);
  });

  test.each([
    ['merge_requests', 'No results in merge requests'],
    ['milestones', 'Wheel</mark> 2.0'],
    ['snippet_titles', 'Wheel</mark> snippet'],
    ['groups', 'No results in groups'],
    ['users', 'No results in users'],
  ])('responds for %s', async (scope, text) => {
    const response = await visit(`/search?search=wheel&scope=${scope}`);
    expect(response.status).toBe(200);
    expect(response.text).toContain(text);
  });

  test('finds users and groups', async () => {
    const users = await visit('/search?search=gus&scope=users');
    expect(users.text).toContain('href="/gus"');
    const groups = await visit('/search?search=acme&scope=groups');
    expect(groups.text).toContain('href="/acme"');
  });

  test('shows nobody what they may not see', async () => {
    expect((await visit('/search?search=secret&scope=issues')).text).toContain('Secret</mark>');
    const other = await visit('/search?search=secret&scope=issues', guest);
    expect(other.text).toContain('No results');
  });

  test('sends anonymous users to the sign-in page for what only users see', async () => {
    const page = await anonymous();
    await page.goto('/search?search=wheel');
    expect(await page.locator('main .entries').count()).toBe(1);
    await page.goto('/search?search=wheel&scope=issues');
    expect(await page.getByText('Only signed-in users').isVisible()).toBe(true);
    await expectAccessible(page);
  });

  test('refuses a text that is too short or too long, and keeps it', async () => {
    for (const search of ['a', 'a'.repeat(256)]) {
      const response = await visit(`/search?search=${search}`);
      expect(response.status).toBe(422);
      expect(response.text).toContain(`value="${search}"`);
      expect(response.text).toMatch(/The text is too (?:short|long)/);
    }
    const hit = await visit(`/search?search=${encodeURIComponent(hostile)}&scope=issues`);
    expect(hit.text).not.toContain('<script>alert');
    expect(hit.text).toContain('<mark>&quot;&gt;&lt;script&gt;');
    expect((await visit('/search')).status).toBe(200);
  });
});

describe('a search in a project', () => {
  test('starts in the search box of its pages, and finds lines of code', async () => {
    const page = await signedIn(ada);
    await page.goto('/acme/app/issues');
    await page.getByRole('searchbox', { name: 'Search in' }).fill('MillWheel');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?**');
    expect(new URL(page.url()).searchParams.get('project_id')).toBe(String(id));
    const line = page.locator('main .numbered a', { hasText: /^2$/ });
    expect(await line.getAttribute('href')).toBe('/acme/app/blob/master/lib/wheel.ts#L2');
    expect(await page.locator('main mark').textContent()).toBe('MillWheel');
    await expectAccessible(page);
  });

  test('shows the part of a long line around the hit', async () => {
    const { text } = await visit(`/search?project_id=${id}&search=wheelwright`);
    expect(text).toContain('<mark>wheelwright</mark>');
    expect(text).not.toContain('x'.repeat(100));
  });

  test.each([
    ['issues', 'href="/acme/app/issues/1"'],
    ['milestones', 'href="/acme/app/milestones/1"'],
    ['notes', '/acme/app/issues/1#note_'],
    ['wiki_blobs', 'href="/acme/app/wikis/How-to"'],
    ['commits', 'No results in commits'],
    ['merge_requests', 'No results in merge requests'],
    ['users', 'No results in users'],
  ])('responds for %s', async (scope, text) => {
    const response = await visit(`/search?project_id=${id}&search=wheel&scope=${scope}`);
    expect(response.status).toBe(200);
    expect(response.text).toContain(text);
  });

  test('leads to the whole page after page', async () => {
    for (let n = 0; n < 31; n += 1) {
      await asAda.post(`/projects/${id}/issues`, { title: `Sluice ${n}` });
    }
    const address = `/search?project_id=${id}&scope=issues&search=sluice`;
    expect((await visit(address)).text).toContain('Page 1 of 2');
    expect((await visit(`${address}&page=2`)).text).toContain('Page 2 of 2');
  });

  test('asks anonymous users to sign in for comments', async () => {
    const { status, text } = await visitorAt(url).get(
      `/search?project_id=${id}&search=wheel&scope=notes`,
    );
    expect(status).toBe(200);
    expect(text).toContain('Only signed-in users can search comments.');
  });

  test('of a private project or an unknown one responds with 404', async () => {
    expect((await visit(`/search?project_id=${hiddenId}&search=plans`, guest)).status).toBe(404);
    expect((await visit('/search?project_id=999999&search=plans')).status).toBe(404);
    expect((await visit('/search?project_id=x&search=plans')).status).toBe(404);
  });
});

describe('a search in a group', () => {
  test('starts in the search box of its page', async () => {
    const page = await signedIn(ada);
    await page.goto('/acme');
    await page.getByRole('searchbox', { name: 'Search in' }).fill('wheel');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?**');
    expect(new URL(page.url()).searchParams.has('group_id')).toBe(true);
    expect(await page.locator('main .entries').textContent()).toContain('acme/app');
    await expectAccessible(page);
  });
});
