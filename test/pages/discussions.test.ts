import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { hostedProject } from '../support/hosted.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { owner, project, projectId, issue, mergeRequest, snippet } = await hostedProject(server);
const ada = server.as(owner);
const max = await server.seed.user('max');
const { signedIn } = await browser(server.url);
const app = `/${project}`;
const hostile = '"><script>alert(1)</script>';

const notesOf = async (kind: string, id: number) =>
  (await ada.get(`/projects/${projectId}/${kind}/${id}/notes`)).body as {
    readonly id: number;
    readonly body: string;
    readonly system: boolean;
  }[];

describe.each([
  ['an issue', 'issues', issue],
  ['a merge request', 'merge_requests', mergeRequest],
  ['a snippet', 'snippets', snippet],
])('the discussion of %s', (_name, kind, id) => {
  const address = `${app}/${kind}/${id}`;

  test('takes comments, replies, edits and deletions', async () => {
    const page = await signedIn(max);
    await page.goto(address);
    await page.getByLabel('Write a comment').fill(`Hello **you** ${hostile}`);
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    const note = page.locator('.note').filter({ hasText: 'Hello' });
    // the reader is brought to the new comment
    expect(new URL(page.url()).hash).toBe(`#${await note.getAttribute('id')}`);
    expect(await note.locator('strong').textContent()).toBe('you');
    expect(await note.textContent()).toContain(hostile);
    await note.getByRole('link', { name: 'Edit the comment' }).click();
    await expectAccessible(page);
    await page.getByLabel('Text').fill('Bye');
    await page.getByRole('button', { name: 'Save comment' }).click();
    expect(await page.locator('.note').filter({ hasText: 'Bye' }).count()).toBe(1);

    await page.getByLabel('Write a comment').fill('A matter');
    await page.getByRole('button', { name: 'Start thread' }).click();
    const thread = page.getByRole('region', { name: 'Thread' });
    await thread.getByText('Reply').first().click();
    await thread.getByLabel('Write a reply').fill('An answer');
    await thread.getByRole('button', { name: 'Reply' }).click();
    expect(await thread.locator('.note').count()).toBe(2);
    await expectAccessible(page);

    const bye = page.locator('.note').filter({ hasText: 'Bye' });
    await bye.getByRole('link', { name: 'Edit the comment' }).click();
    await page.locator('summary').filter({ hasText: 'Delete comment' }).click();
    await page.getByRole('button', { name: 'Delete comment' }).click();
    expect(new URL(page.url()).pathname).toBe(address);
    expect(await bye.count()).toBe(0);
  });

  test('gives and takes back award emoji', async () => {
    const page = await signedIn(max);
    await page.goto(address);
    const note = page.locator('.note').first();
    await note.locator('summary').click();
    await note.getByRole('button', { name: 'rocket' }).click();
    const given = note.getByRole('button', { name: 'rocket, given by 1' });
    expect(await given.getAttribute('aria-pressed')).toBe('true');
    await expectAccessible(page);
    await given.click();
    expect(await given.count()).toBe(0);
  });

  test('shows an empty comment again with its error', async () => {
    const visitor = visitorAt(server.url);
    await visitor.signIn(max);
    const { status, text } = await visitor.submit(`${address}/notes`, { body: ' ' });
    expect(status).toBe(422);
    expect(text).toContain('<span class="fault" id="note-fault">Text can&#39;t be blank.</span>');
  });

  test('refuses changes of notes of other users', async () => {
    const first = (await notesOf(kind, id)).find(({ system }) => !system);
    const { body } = await ada.post(`/projects/${projectId}/${kind}/${id}/notes`, { body: 'Mine' });
    const mine = (body as { id: number }).id;
    expect(first).toBeDefined();
    const visitor = visitorAt(server.url);
    await visitor.signIn(max);
    const statuses = await Promise.all([
      visitor.get(`${address}/notes/${mine}/edit`),
      visitor.submit(`${address}/notes/${mine}`, { body: 'Not mine' }),
      visitor.submit(`${address}/notes/${mine}/delete`),
      visitor.submit(`${address}/notes/999999/delete`),
      visitor.submit(`${address}/notes/${mine}/nothing`),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 404, 404]);
    const stranger = visitorAt(server.url);
    const sent = await stranger.submit(`${address}/notes`, { body: 'Hello' });
    expect(sent.location).toContain('/users/sign_in');
  });
});

describe('a comment', () => {
  test('closes and reopens its issue', async () => {
    const page = await signedIn(owner);
    await page.goto(`${app}/issues/${issue}`);
    await page.getByLabel('Write a comment').fill('Done');
    await page.getByRole('button', { name: 'Comment and close' }).click();
    expect(await page.locator('.note').filter({ hasText: 'Done' }).count()).toBe(1);
    expect(await page.locator('.event').filter({ hasText: 'closed' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Comment and reopen' }).click();
    expect(await page.locator('.event').filter({ hasText: 'reopened' }).count()).toBe(1);
  });
});

describe('a thread of a merge request', () => {
  test('is resolved and opened again', async () => {
    const page = await signedIn(owner);
    await page.goto(`${app}/merge_requests/${mergeRequest}`);
    await page.getByRole('button', { name: 'Resolve thread' }).click();
    expect(await page.getByText('resolved', { exact: true }).isVisible()).toBe(true);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Reopen thread' }).click();
    expect(await page.getByRole('button', { name: 'Resolve thread' }).count()).toBe(1);
  });
});

describe('a text field', () => {
  test('previews its text and uploads files with scripts', async () => {
    const page = await signedIn(max, { javaScriptEnabled: true });
    await page.goto(`${app}/issues/${issue}`);
    const form = page.locator('form.comment').last();
    await form.locator('textarea').fill(`Some *text* ${hostile}`);
    await form.getByRole('button', { name: 'Preview' }).click();
    const preview = form.locator('.preview');
    await preview.locator('em').waitFor();
    expect(await preview.textContent()).toContain(hostile);
    expect(await preview.locator('script').count()).toBe(0);
    await form.locator('input[type="file"]').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Notes'),
    });
    await page.waitForFunction(() =>
      [...document.querySelectorAll('textarea')].some(({ value }) => value.includes('/uploads/')),
    );
    expect(await form.locator('textarea').inputValue()).toMatch(
      /\[notes\.txt\]\(\/uploads\/[0-9a-f]{32}\/notes\.txt\)/,
    );
  });
});
