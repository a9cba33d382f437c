import { expect, test } from 'vitest';
import { browser } from '../support/browser.ts';
import { commit, git, workTree } from '../support/git.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, as } = server;
const ada = await seed.user('ada');
const { id } = await seed.project('ada/app', {}, { visibility: 'public' });
const folder = await workTree({ 'a.txt': 'one\ntwo\nthree\n' });
await git(folder, 'checkout', '--quiet', '-b', 'topic');
await commit(folder, { 'a.txt': 'ONE\nTWO\nthree\n' }, 'Shout');
await git(folder, 'push', '--quiet', server.remote('ada/app', ada), '--all');
await as(ada).post(`/projects/${id}/merge_requests`, {
  ...{ source_branch: 'topic', target_branch: 'master', title: 'Shout' },
});
await as(ada).post(`/projects/${id}/issues`, { title: 'It is slow' });
const { signedIn } = await browser(server.url);
const open = async (address: string) => {
  const page = await signedIn(ada, { javaScriptEnabled: true });
  await page.goto(address);
  return page;
};

test('two clicks on a button send its form once', async () => {
  const page = await open('/ada/app/issues/1');
  await page.getByLabel('Write a comment').fill('Once.');
  await Promise.all([
    page.waitForEvent('load'),
    page.getByRole('button', { name: 'Comment', exact: true }).dblclick(),
  ]);
  const { body } = await as(ada).get(`/projects/${id}/issues/1/notes`);
  const notes = body as readonly { readonly body: string }[];
  expect(notes.filter((note) => note.body === 'Once.')).toHaveLength(1);
});

test('a preview names what went wrong, and is never the sign-in page', async () => {
  const page = await open('/ada/app/issues/1');
  const preview = page.getByRole('button', { name: 'Preview' }).first();
  await page.context().setOffline(true);
  await preview.click();
  const shown = page.locator('.preview').first();
  await expect.poll(() => shown.textContent()).toContain('The server could not be reached.');
  await page.context().setOffline(false);
  await page.context().clearCookies();
  await preview.click();
  await expect.poll(() => shown.textContent()).not.toContain('could not be reached');
  await expect.poll(() => shown.textContent()).not.toBe('Loading …');
  expect(await shown.locator('form, header').count()).toBe(0);
});

test('an empty comment is refused at its field while the preview is shown', async () => {
  const page = await open('/ada/app/issues/1');
  const field = page.getByLabel('Write a comment');
  await page.getByRole('button', { name: 'Preview' }).first().click();
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect.poll(() => field.isVisible()).toBe(true);
});

test('a menu closes when the focus leaves it', async () => {
  const page = await open('/ada/app');
  const menu = page.locator('header details.menu').first();
  await menu.locator('summary').click();
  expect(await menu.getAttribute('open')).not.toBeNull();
  await page.locator('main a').first().focus();
  expect(await menu.getAttribute('open')).toBeNull();
});

test('another line comment keeps what was typed in the first', async () => {
  const page = await open('/ada/app/merge_requests/1/diffs');
  const area = (line: number) =>
    page.getByRole('textbox', { name: `Comment on line ${line}`, exact: true });
  const start = (line: number) =>
    page.getByRole('link', { name: `Comment on line ${line}`, exact: true }).last();
  await start(1).focus();
  await page.keyboard.press('Enter');
  await area(1).fill('Do not lose me.');
  await start(2).focus();
  await page.keyboard.press('Enter');
  await area(2).waitFor();
  expect(await area(1).inputValue()).toBe('Do not lose me.');
  // a form without a text closes
  await start(3).focus();
  await page.keyboard.press('Enter');
  await area(3).waitFor();
  expect(await area(2).count()).toBe(0);
});
