import { rm } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { commit, git, workTree } from '../support/git.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const ada = await server.seed.user('ada');
const { body: project } = await server.as(ada).post('/projects', { path: 'app' });
const { id } = project as { readonly id: number };
const folder = await workTree({ 'a.txt': 'one\n' });
afterAll(() => rm(folder, { recursive: true }));
const remote = server.remote('ada/app', ada);
await git(folder, 'push', '--quiet', remote, 'master');
await git(folder, 'checkout', '--quiet', '-b', 'topic');
const versions = `/projects/${id}/merge_requests/1/versions`;
const list = async () => (await server.as(ada).get(versions)).body as readonly { id: number }[];

/** Pushes the work tree, and waits for the version that it makes. */
async function pushVersion(content: string, count: number): Promise<void> {
  await commit(folder, { 'a.txt': content }, `Write ${content}`);
  await git(folder, 'push', '--quiet', '--force', remote, 'topic');
  if (count === 1) {
    await server.as(ada).post(`/projects/${id}/merge_requests`, {
      ...{ source_branch: 'topic', target_branch: 'master', title: 'Count' },
    });
  }
  await expect.poll(async () => (await list()).length).toBe(count);
}

const { signedIn } = await browser(server.url);
const at = '/ada/app/merge_requests/1';

test('a merge request with one version has no menu of them', async () => {
  await pushVersion('two\n', 1);
  const page = await signedIn(ada);
  await page.goto(`${at}/diffs`);
  expect(await page.getByText('Latest version').count()).toBe(0);
});

test('older versions of the changes are shown, and what changed since', async () => {
  await pushVersion('three\n', 2);
  await pushVersion('four\n', 3);
  const page = await signedIn(ada, { width: 390 });
  await page.goto(`${at}/diffs`);
  expect(await page.locator('tr.added').allTextContents()).toEqual([
    expect.stringContaining('four'),
  ]);
  const menu = page.locator('main details.menu', { hasText: 'Latest version' });
  await menu.locator('summary').click();
  expect(await menu.getByRole('link').count()).toBe(3);
  await expectAccessible(page);
  await menu.getByRole('link', { name: 'Version 1' }).click();
  expect(await page.locator('tr.added').allTextContents()).toEqual([
    expect.stringContaining('two'),
  ]);
  expect(await page.getByRole('status').first().textContent()).toContain('older version');
  expect(await page.getByLabel(/Comment on line/).count()).toBe(0);
  await expectAccessible(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(390);
  await page.getByRole('link', { name: 'What changed since' }).click();
  expect(await page.locator('tr.removed').allTextContents()).toEqual([
    expect.stringContaining('two'),
  ]);
  expect(await page.locator('tr.added').allTextContents()).toEqual([
    expect.stringContaining('four'),
  ]);
});

test('a version that is missing, or that the user may not see, gives 404', async () => {
  const visitor = visitorAt(server.url);
  const [latest] = await list();
  expect((await visitor.get(`${at}/versions/${latest?.id}`)).status).toBe(404);
  await visitor.signIn(ada);
  expect((await visitor.get(`${at}/versions/${latest?.id}`)).status).toBe(200);
  expect((await visitor.get(`${at}/versions/999999`)).status).toBe(404);
  expect((await visitor.get(`${at}/versions/x`)).status).toBe(404);
});
