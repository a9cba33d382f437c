import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browser } from '../support/browser.ts';
import { commit, git, workTree } from '../support/git.ts';
import { choose, focusOrder, follow, tabTo, typeInto } from '../support/keyboard.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, as } = server;
const ada = await seed.user('ada');
await seed.group('acme', { master: ada }, { visibility: 'public' });
const { id } = await seed.project('acme/app', { master: ada }, { visibility: 'public' });
const folder = await workTree({ 'notes.txt': 'one\ntwo\n' });
await git(folder, 'checkout', '--quiet', '-b', 'topic');
await commit(folder, { 'notes.txt': 'one\nTWO\n' }, 'Shout');
const remote = server.remote('acme/app', ada);
await git(folder, 'push', '--quiet', remote, '--all');
await as(ada).post(`/projects/${id}/labels`, { name: 'urgent', color: '#ff0000' });
await as(ada).post(`/projects/${id}/merge_requests`, {
  ...{ source_branch: 'topic', target_branch: 'master', title: 'Shout' },
});
const { anonymous, signedIn } = await browser(server.url);

const pathOf = (page: Page) => new URL(page.url()).pathname;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string) =>
  page.locator('main').getByRole('link', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

describe('by keyboard alone', () => {
  test('a user signs in', async () => {
    const page = await anonymous();
    await page.goto('/users/sign_in');
    await typeInto(page, page.getByLabel('Username or e-mail'), ada.username);
    await typeInto(page, field(page, 'Password'), ada.password);
    await follow(page, page.locator('main').getByRole('button', { name: 'Sign in' }));
    expect(pathOf(page)).toBe('/');
  });

  test('the first Tab leads past the header', async () => {
    const page = await signedIn(ada);
    await page.goto('/acme/app');
    await page.keyboard.press('Tab');
    const skip = page.getByText('Skip to content');
    expect(await skip.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await skip.isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const isInMain = () => document.activeElement?.closest('main') !== null;
    expect(await page.evaluate(isInMain)).toBe(true);
  });

  test('a slash leads to the search, Escape closes a menu and keeps the focus', async () => {
    const page = await signedIn(ada, { javaScriptEnabled: true });
    await page.goto('/acme/app');
    await page.keyboard.press('/');
    await page.keyboard.type('Shout');
    await Promise.all([page.waitForURL(/\/search/), page.keyboard.press('Enter')]);
    const menu = page.locator('header details.menu').first();
    await tabTo(page, menu.locator('summary'));
    await page.keyboard.press('Enter');
    expect(await menu.getAttribute('open')).not.toBeNull();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect(await menu.getAttribute('open')).toBeNull();
    const summary = menu.locator('summary');
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test.each([false, true])('a project is created (scripts: %s)', async (javaScriptEnabled) => {
    const path = `made-${javaScriptEnabled}`;
    const page = await signedIn(ada, { javaScriptEnabled });
    await page.goto('/projects/new');
    await typeInto(page, field(page, 'Name'), path);
    await typeInto(page, field(page, 'Path'), path);
    await follow(page, button(page, 'Create project'));
    expect(pathOf(page)).toBe(`/ada/${path}`);
  });

  test.each([false, true])(
    'an issue is written, labelled and discussed (scripts: %s)',
    async (javaScriptEnabled) => {
      const page = await signedIn(ada, { javaScriptEnabled });
      await page.goto('/acme/app/issues');
      await follow(page, link(page, 'New issue'));
      await typeInto(page, page.getByLabel('Title'), 'It is slow');
      await typeInto(page, page.getByLabel('Description'), 'Very.');
      const label = page.getByRole('checkbox', { name: 'urgent' });
      if (!(await label.isVisible())) {
        await tabTo(page, page.locator('main summary').filter({ hasText: /label/i }));
        await page.keyboard.press('Enter');
      }
      await tabTo(page, label);
      await page.keyboard.press('Space');
      await follow(page, button(page, 'Create issue'));
      expect(await page.locator('main .label', { hasText: 'urgent' }).first().isVisible()).toBe(
        true,
      );
      await typeInto(page, page.getByLabel('Write a comment'), 'By Tab.');
      await follow(page, button(page, 'Comment'));
      expect(await page.getByText('By Tab.').first().isVisible()).toBe(true);
      await follow(page, button(page, 'Close issue'));
      expect(await button(page, 'Reopen issue').count()).toBeGreaterThan(0);
    },
  );

  test('a line of a merge request is commented on, and the request is merged', async () => {
    const page = await signedIn(ada);
    await page.goto('/acme/app/merge_requests/1');
    await follow(page, page.getByRole('link', { name: /^Changes/ }));
    await follow(page, page.getByRole('link', { name: 'Comment on line 2' }).last());
    const text = page.getByRole('textbox', { name: 'Comment on line 2' });
    await typeInto(page, text, 'Why so loud?');
    const form = page.locator('form', { has: text });
    await follow(page, form.getByRole('button', { name: 'Comment', exact: true }));
    expect(await page.getByText('Why so loud?').first().isVisible()).toBe(true);
    await page.goto('/acme/app/merge_requests/1');
    await follow(page, button(page, 'Merge'));
    await expect
      .poll(async () => {
        await page.goto('/acme/app/merge_requests/1');
        return page.locator('main .state').first().textContent();
      })
      .toContain('Merged');
  });

  test('a branch is created and deleted', async () => {
    const page = await signedIn(ada);
    await page.goto('/acme/app/branches');
    await follow(page, link(page, 'New branch'));
    await typeInto(page, page.getByLabel(/name/i).first(), 'short-lived');
    await follow(page, button(page, 'Create branch'));
    await page.goto('/acme/app/branches');
    const row = page.getByRole('listitem').filter({ hasText: 'short-lived' });
    await tabTo(page, row.locator('summary').last());
    await page.keyboard.press('Enter');
    await follow(page, row.getByRole('button', { name: /delete/i }));
    expect(await row.count()).toBe(0);
  });

  test('a card of a board moves', async () => {
    const { body } = await as(ada).get(`/projects/${id}/labels`);
    const [label] = body as readonly { readonly id: number }[];
    const { body: boards } = await as(ada).get(`/projects/${id}/boards`);
    const [board] = boards as readonly { readonly id: number }[];
    await as(ada).post(`/projects/${id}/boards/${board?.id}/lists`, { label_id: label?.id });
    await as(ada).post(`/projects/${id}/issues`, { title: 'To be moved' });
    const page = await signedIn(ada);
    await page.goto('/acme/app/boards');
    const card = page.locator('article', { hasText: 'To be moved' });
    await tabTo(page, card.locator('summary'));
    await page.keyboard.press('Enter');
    await choose(page, card.getByRole('combobox'), 'urgent');
    await follow(page, card.getByRole('button', { name: 'Move' }));
    const column = page.getByRole('region', { name: 'urgent' });
    expect(await column.getByText('To be moved').isVisible()).toBe(true);
  });
});

/** Pages with every kind of thing to focus. */
const pages = [
  '/',
  '/explore',
  '/search?search=app',
  '/projects/new',
  '/profile',
  '/profile/keys',
  '/dashboard/issues',
  '/groups/acme',
  '/groups/acme/group_members',
  '/acme/app',
  '/acme/app/blob/master/notes.txt',
  '/acme/app/commits/master',
  '/acme/app/branches',
  '/acme/app/compare',
  '/acme/app/issues',
  '/acme/app/issues/new',
  '/acme/app/issues/1',
  '/acme/app/merge_requests/1',
  '/acme/app/merge_requests/1/diffs',
  '/acme/app/labels',
  '/acme/app/boards',
  '/acme/app/settings/ci_cd',
  '/acme/app/settings/repository',
  '/acme/app/edit',
];

test.each(pages)('Tab goes through %s, and always shows where it is', async (path) => {
  const page = await signedIn(ada);
  const response = await page.goto(path);
  expect(response?.status()).toBe(200);
  const order = await focusOrder(page);
  expect(order.length).toBeGreaterThan(5);
  expect(order.filter(({ isMarked, isShown }) => !isMarked || !isShown)).toEqual([]);
});
