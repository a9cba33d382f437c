import { describe, expect, test } from 'vitest';
import { fileKey } from '../../server/pages/diffs/compared.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { commit, git, workTree } from '../support/git.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed, as } = server;
const ada = await seed.user('ada');
const rae = await seed.user('rae');
const hostile = '"><script>alert(1)</script>';
const { id } = await seed.project('ada/app', { reporter: rae }, { visibility: 'public' });
const folder = await workTree({ 'a.txt': 'one\ntwo\nthree\n' });
await git(folder, 'checkout', '--quiet', '-b', 'topic');
const sha = await commit(folder, { 'a.txt': 'one\nTWO\nthree\n' }, 'Shout');
const remote = server.remote('ada/app', ada);
await git(folder, 'push', '--quiet', remote, '--all');
const { body } = await as(ada).post(`/projects/${id}/merge_requests`, {
  ...{ source_branch: 'topic', target_branch: 'master', title: 'Shout' },
});
const { iid } = body as { readonly iid: number };
const diffs = `/ada/app/merge_requests/${iid}/diffs`;
const file = fileKey({ newPath: 'a.txt', isDeleted: false });
const { signedIn } = await browser(server.url);
const reporter = visitorAt(server.url);
await reporter.signIn(rae);

describe('a comment on a line of a merge request', () => {
  test.each([false, true])('is written, answered and resolved (scripts: %s)', async (scripts) => {
    const page = await signedIn(ada, { javaScriptEnabled: scripts });
    await page.goto(diffs);
    await page.locator('tr.added', { hasText: 'TWO' }).hover();
    await page.getByLabel('Comment on line 2', { exact: true }).last().click();
    const field = page
      .getByLabel('Comment on line 2', { exact: true })
      .and(page.locator('textarea'));
    await field.waitFor();
    if (!scripts) await expectAccessible(page);
    if (scripts) {
      const form = page.locator('form', { has: field });
      await field.fill('A *preview*');
      await form.getByRole('button', { name: 'Preview' }).click();
      await form.locator('.preview em', { hasText: 'preview' }).waitFor();
      await form.getByRole('button', { name: 'Write' }).click();
    }
    await field.fill(`Why *so* loud? ${hostile} ${scripts}`);
    await page.locator('form', { has: field }).getByRole('button', { name: 'Comment' }).click();
    const thread = page
      .locator('tr.below')
      .getByRole('region')
      .filter({ hasText: `${scripts}` });
    await thread.waitFor();
    expect(await thread.locator('em').textContent()).toBe('so');
    expect(new URL(page.url()).pathname).toBe(diffs);
    if (!scripts) await expectAccessible(page);
    await thread.locator('summary', { hasText: 'Reply' }).click();
    await thread.getByLabel('Write a reply').fill('Because.');
    await thread.getByRole('button', { name: 'Reply' }).click();
    await thread.getByText('Because.').waitFor();
    expect(new URL(page.url()).pathname).toBe(diffs);
    await thread.getByRole('button', { name: 'Resolve thread' }).click();
    await thread.getByText('resolved').waitFor();
    await page.goto(`/ada/app/merge_requests/${iid}`);
    expect(await page.getByText('a.txt:2').first().isVisible()).toBe(true);
  });

  test('stands below its line in the parallel view', async () => {
    const { text } = await reporter.get(`${diffs}?view=parallel`);
    expect(text).toContain('<tr class="below"><td colspan="4">');
    expect(text).not.toContain('<script>alert');
  });

  test('without a text is refused, and the form has the error', async () => {
    const fields = { line: `${file}::2`, body: ' ' };
    const { status, text } = await reporter.submit(`${diffs}/comments`, fields);
    expect(status).toBe(422);
    expect(text).toContain('aria-invalid="true"');
    expect(text).toContain(`value="${file}::2"`);
  });

  test.each([`${file}:9:9`, `${file}:2:2`])('at %s, which is no line, is refused', async (line) => {
    const { status } = await reporter.submit(`${diffs}/comments`, { line, body: 'x' });
    expect(status).toBe(422);
  });

  test.each(['', 'x', `${file}:1:1${hostile}`, 'f0000000000:1:1'])(
    'in no file, as %j, does not exist',
    async (line) => {
      const { status } = await reporter.submit(`${diffs}/comments`, { line, body: 'x' });
      expect(status).toBe(404);
    },
  );

  test('is not offered to anonymous users', async () => {
    const visitor = visitorAt(server.url);
    const { text } = await visitor.get(`${diffs}?comment=${file}:2:`);
    expect(text).not.toContain('data-comment');
    expect(text).not.toContain('<textarea');
    const answer = await visitor.submit(`${diffs}/comments`, { line: `${file}::2`, body: 'x' });
    expect(answer.location).toContain('/users/sign_in');
  });

  test('on an older version is named and stays in the discussion', async () => {
    await commit(folder, { 'a.txt': 'zero\none\nTWO\nthree\n' }, 'Begin at zero');
    await git(folder, 'push', '--quiet', remote, 'topic');
    await expect
      .poll(async () => (await reporter.get(diffs)).text, { timeout: 20_000 })
      .toContain('2 threads are on other versions of the changes');
    expect((await reporter.get(`/ada/app/merge_requests/${iid}`)).text).toContain('a.txt:2');
  });
});

test('a comment on a line of a commit is written and answered', async () => {
  const page = await signedIn(rae);
  const address = `/ada/app/commit/${sha}`;
  await page.goto(address);
  await page.locator('tr.added', { hasText: 'TWO' }).hover();
  await page.getByLabel('Comment on line 2', { exact: true }).last().click();
  await page.locator('textarea#comment').fill('On the commit');
  await page.locator('tr.below').getByRole('button', { name: 'Comment' }).click();
  expect(new URL(page.url()).pathname).toBe(address);
  expect(await page.locator('tr.below').getByText('On the commit').isVisible()).toBe(true);
  await expectAccessible(page);
  await page.getByLabel('Write a comment').fill('On all of it');
  await page.getByRole('button', { name: 'Comment', exact: true }).last().click();
  expect(await page.getByText('On all of it').isVisible()).toBe(true);
});
