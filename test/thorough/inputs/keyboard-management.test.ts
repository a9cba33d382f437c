import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browser } from '../../support/browser.ts';
import { commit, git, workTree } from '../../support/git.ts';
import { choose, follow, tabTo, typeInto } from '../../support/keyboard.ts';
import { receiver } from '../../support/receiver.ts';
import { world } from '../../support/world.ts';

const server = await world({ variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' } });
const { seed, as } = server;
const ada = await seed.user('ada');
await seed.user('bob');
await seed.group('acme', { owner: ada }, { visibility: 'public' });
const { id } = await seed.project('acme/app', { master: ada }, { visibility: 'public' });
const folder = await workTree({ 'notes.txt': 'one\ntwo\n' });
await git(folder, 'checkout', '--quiet', '-b', 'topic');
await commit(folder, { 'notes.txt': 'one\nTWO\n' }, 'Shout');
await git(folder, 'push', '--quiet', server.remote('acme/app', ada), '--all');
await as(ada).post(`/projects/${id}/merge_requests`, {
  ...{ source_branch: 'topic', target_branch: 'master', title: 'Shout' },
});
const { signedIn } = await browser(server.url);

const button = (page: Page, name: string) =>
  page.locator('main').getByRole('button', { name, exact: true });
const link = (page: Page, name: string) =>
  page.locator('main').getByRole('link', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const text = (page: Page) => page.locator('main').innerText();

describe.each([false, true])('by keyboard alone (scripts: %s)', (javaScriptEnabled) => {
  const open = async (path: string) => {
    const page = await signedIn(ada, { javaScriptEnabled });
    await page.goto(path);
    return page;
  };
  /** A name that the other run does not use. */
  const named = (name: string) => `${name}-${javaScriptEnabled ? 'with' : 'without'}-scripts`;

  test('a line is commented on, and its thread answered and resolved', async () => {
    const page = await open('/acme/app/merge_requests/1/diffs');
    const line = page.getByRole('link', { name: 'Comment on line 2' }).last();
    await tabTo(page, line);
    await page.keyboard.press('Enter');
    const words = page.getByRole('textbox', { name: 'Comment on line 2' });
    await words.waitFor();
    await typeInto(page, words, named('loud'));
    const thread = page
      .locator('tr.below')
      .getByRole('region')
      .filter({ hasText: named('loud') });
    await tabTo(
      page,
      page.locator('form', { has: words }).getByRole('button', { name: 'Comment' }),
    );
    await page.keyboard.press('Enter');
    await thread.waitFor();
    await tabTo(page, thread.locator('summary', { hasText: 'Reply' }));
    await page.keyboard.press('Enter');
    await typeInto(page, thread.getByLabel('Write a reply'), 'Because.');
    await tabTo(page, thread.getByRole('button', { name: 'Reply' }));
    await page.keyboard.press('Enter');
    await thread.getByText('Because.').waitFor();
    await tabTo(page, thread.getByRole('button', { name: 'Resolve thread' }));
    await page.keyboard.press('Enter');
    await thread.getByText('resolved').waitFor();
  });

  test('a file is edited on a branch of its own, up to the merge request', async () => {
    const page = await open('/acme/app/blob/master/notes.txt');
    await follow(page, link(page, 'Edit'));
    await typeInto(page, field(page, 'Content'), 'three');
    await typeInto(page, field(page, 'Branch'), named('edit'));
    await follow(page, button(page, 'Commit changes'));
    await typeInto(page, page.getByLabel('Title'), named('Edit'));
    await follow(page, button(page, 'Create merge request'));
    expect(await text(page)).toContain(named('Edit'));
  });

  test('a file is uploaded', async () => {
    const page = await open('/acme/app');
    await tabTo(page, page.locator('main summary', { hasText: 'Add' }));
    await page.keyboard.press('Enter');
    await follow(page, link(page, 'Upload file'));
    await tabTo(page, field(page, 'File'));
    // the dialog belongs to the operating system
    const buffer = Buffer.from('up');
    const name = `${named('file')}.txt`;
    await field(page, 'File').setInputFiles({ name, mimeType: 'text/plain', buffer });
    await follow(page, button(page, 'Upload file'));
    await page.goto('/acme/app');
    expect(await link(page, name).count()).toBe(1);
  });

  test('a label and a member are added', async () => {
    const page = await open('/acme/app/labels');
    await follow(page, link(page, 'New label'));
    await typeInto(page, field(page, 'Name'), named('label'));
    await follow(page, button(page, 'Create label'));
    expect(await text(page)).toContain(named('label'));
    const { username } = await seed.user(named('member'));
    await page.goto('/acme/app/project_members');
    await typeInto(page, field(page, 'Username or e-mail'), username);
    await choose(page, field(page, 'Access level'), 'Reporter');
    await tabTo(page, field(page, 'Expires (optional)'));
    await page.keyboard.type('01312099');
    await follow(page, button(page, 'Add member'));
    const { body } = await as(ada).get(`/projects/${id}/members?query=${username}`);
    expect(body).toMatchObject([{ username, access_level: 20, expires_at: '2099-01-31' }]);
  });

  test('a webhook is added and tried, and its delivery sent again', async () => {
    const target = await receiver();
    const page = await open('/acme/app/hooks');
    await typeInto(page, page.getByLabel('URL'), target.url);
    await follow(page, button(page, 'Add webhook'));
    await follow(page, button(page, 'Send test event'));
    await expect.poll(() => target.received.length).toBe(1);
    const delivered = page.getByText('delivered', { exact: true });
    await expect
      .poll(async () => {
        await page.reload();
        return delivered.count();
      })
      .toBe(1);
    await follow(page, page.getByRole('region', { name: 'Recent deliveries' }).getByRole('link'));
    await follow(page, button(page, 'Resend'));
    await expect.poll(() => target.received.length).toBe(2);
  });

  test('a wiki page is written and changed', async () => {
    const page = await open('/acme/app/wikis/new');
    await typeInto(page, field(page, 'Title'), named('page'));
    await typeInto(page, page.getByLabel('Content'), 'First');
    await follow(page, button(page, 'Create page'));
    await follow(page, link(page, 'Edit'));
    await typeInto(page, page.getByLabel('Content'), 'Second');
    await follow(page, button(page, 'Save changes'));
    expect(await text(page)).toContain('Second');
  });

  test('a release gets a link, and a branch is protected', async () => {
    const page = await open('/acme/app/releases');
    await follow(page, link(page, 'New release').first());
    await typeInto(page, field(page, 'Tag'), named('v1'));
    await typeInto(page, page.getByLabel('Release notes'), 'The first.');
    await follow(page, button(page, 'Create release'));
    await follow(page, page.locator('main').getByRole('link', { name: /^Edit/ }));
    await typeInto(page, field(page, 'Name'), 'Binary');
    await typeInto(page, field(page, 'Address'), 'https://example.com/binary');
    await follow(page, button(page, 'Add link'));
    await page.goto(`/acme/app/releases/${named('v1')}`);
    expect(await link(page, 'Binary').count()).toBe(1);
    await page.goto('/acme/app/settings/repository');
    await typeInto(page, field(page, 'Branch'), named('stable'));
    await follow(
      page,
      page
        .getByRole('region', { name: 'Protected branches' })
        .getByRole('button', { name: 'Protect', exact: true }),
    );
    expect(await text(page)).toContain(named('stable'));
  });

  test('a project is starred and forked, and other browsers are signed out', async () => {
    await seed.group(named('home'), { owner: ada });
    const page = await open('/acme/app');
    await follow(page, button(page, javaScriptEnabled ? 'Unstar' : 'Star'));
    expect(await button(page, javaScriptEnabled ? 'Star' : 'Unstar').count()).toBe(1);
    await follow(page, link(page, 'Fork'));
    await choose(page, field(page, 'Namespace'), named('home'));
    await typeInto(page, field(page, 'Path'), 'copy');
    await follow(page, button(page, 'Fork project'));
    expect(new URL(page.url()).pathname).toBe(`/${named('home')}/copy`);
    await signedIn(ada);
    await page.goto('/profile/active_sessions');
    await follow(page, button(page, 'Sign out everywhere else'));
    expect(await page.locator('main .entries > li').count()).toBe(1);
  });
});
