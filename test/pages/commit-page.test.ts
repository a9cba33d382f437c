import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { commit, git, workTree } from '../support/git.ts';
import { onePixelPng } from '../support/hosted.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const { seed } = server;
const ada = await seed.user('ada');
const rae = await seed.user('rae');
const hostile = '"><script>alert(1)</script>';
const { id } = await seed.project('ada/app', { reporter: rae }, { visibility: 'public' });
const lines = (count: number) =>
  Array.from({ length: count }, (_line, place) => `line ${place + 1}`);
const folder = await workTree({
  'code.txt': `${lines(60).join('\n')}\n`,
  'old.txt': `${lines(20).join('\n')}\n`,
  'data.bin': Buffer.from([0, 1, 2, 3]),
  'dot.png': onePixelPng,
});
await git(folder, 'mv', 'old.txt', 'new.txt');
await chmod(join(folder, 'new.txt'), 0o755);
const changed = lines(60).map((line, place) => (place === 29 ? `${line} changed` : line));
const sha = await commit(
  folder,
  {
    'code.txt': `${changed.join('\n')}\n`,
    'data.bin': Buffer.from([0, 1, 2]),
    'dot.png': Buffer.concat([onePixelPng, Buffer.from([0])]),
    'long.txt': 'x\n'.repeat(1100),
  },
  `Change ${hostile}\n\nThe body.`,
);
await git(folder, 'push', '--quiet', server.remote('ada/app', ada), 'master', 'master:stable');
const address = `/ada/app/commit/${sha}`;
const { signedIn } = await browser(server.url);
const visitor = visitorAt(server.url);

describe('the page of a commit', () => {
  test('shows people, files, renames, modes, sizes and images', async () => {
    const { text, status } = await visitor.get(address);
    expect(status).toBe(200);
    expect(text).not.toContain('<script>alert');
    for (const shown of [
      '5 changed files',
      'renamed, 100% similar',
      'mode 100644 → 100755',
      '4 bytes',
      '3 bytes',
      'The body.',
      `src="/ada/app/raw/${sha}/dot.png"`,
      '<mark> changed</mark>',
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).toContain('+1101</span>');
  });

  test.each(['inline', 'parallel'])('in the %s view is accessible', async (view) => {
    const page = await signedIn(ada, { width: view === 'inline' ? 390 : 1280 });
    await page.goto(`${address}?view=${view}`);
    expect(await page.getByText('line 30 changed').isVisible()).toBe(true);
    await expectAccessible(page);
  });

  test('leaves out a long file, and shows it alone', async () => {
    const { text } = await visitor.get(address);
    expect(text).toContain('This diff is too large to show.');
    expect(text).toContain(`href="${address}?file=long.txt"`);
    const alone = await visitor.get(`${address}?file=long.txt`);
    expect(alone.text).toContain('_0_1100');
    expect(alone.text).not.toContain('line 30');
    expect((await visitor.get(`${address}?file=none.txt`)).status).toBe(404);
  });

  test('loads a long file and more lines in place', async () => {
    const page = await signedIn(ada, { javaScriptEnabled: true });
    await page.goto(address);
    await page.locator('summary', { hasText: 'long.txt' }).click();
    await page.getByRole('region', { name: 'Changes of long.txt' }).waitFor();
    expect(await page.getByText('line 10', { exact: true }).count()).toBe(0);
    await page.getByLabel('Show more lines from 1', { exact: true }).click();
    await page.getByText('line 10', { exact: true }).first().waitFor();
    await page.getByLabel('Show 6 lines from 1', { exact: true }).click();
    await page.getByText('line 6', { exact: true }).first().waitFor();
    await page.locator('summary', { hasText: 'Branches and tags' }).click();
    await page.getByRole('link', { name: 'stable' }).waitFor();
  });

  test('lists the branches with the commit', async () => {
    const { text } = await visitor.get(`${address}/branches`);
    expect(text).toContain('href="/ada/app/tree/stable"');
    expect((await visitor.get(`${address}/nothing`)).status).toBe(404);
  });
});

describe('lines of a file', () => {
  const at = (query: string) => `/ada/app/diff_lines/${sha}/code.txt?${query}`;
  const file = 'file=f0123456789';

  test('of a gap are the last ones, with a link to the rest', async () => {
    const { text, status } = await visitor.get(at(`from=1&to=40&shift=2&${file}`));
    expect(status).toBe(200);
    expect(text).toContain('<td class="n">42</td><td class="n">40</td><td>line 40</td>');
    expect(text).not.toContain('>line 20<');
    expect(text).toContain('to=20');
  });

  test('after the last change end with the file', async () => {
    const { text } = await visitor.get(at(`from=50&shift=0&${file}&view=parallel`));
    expect(text.match(/line 60/g)).toHaveLength(2);
    expect(text).not.toContain('data-lines');
  });

  test.each([
    ['a negative line', `from=-1&${file}`],
    ['a text', `from=x&${file}`],
    ['a hostile file', `from=1&file=${encodeURIComponent(hostile)}`],
  ])('of %s do not exist', async (_name, query) => {
    expect((await visitor.get(at(query))).status).toBe(404);
  });
});

describe('a patch', () => {
  test('is applied by git', async () => {
    const { text, headers } = await visitor.get(`/ada/app/commit/${sha}.patch`);
    expect(headers.get('Content-Type')).toContain('text/plain');
    expect(text).toContain(`From ${sha} `);
    const other = await workTree({ 'a.txt': 'one\ntwo\n' });
    const before = await git(other, 'rev-parse', 'HEAD');
    await git(other, 'mv', 'a.txt', 'b.txt');
    const renamed = await commit(other, { 'c.txt': 'ü\n', 'd "quoted".txt': 'd' }, 'Täst\n\nBody');
    const remote = server.remote('ada/patched', ada);
    await seed.project('ada/patched', {}, { visibility: 'public' });
    await git(other, 'push', '--quiet', remote, 'master');
    const patch = await visitor.get(`/ada/patched/commit/${renamed}.patch`);
    const path = `${other}/../${renamed}.patch`;
    await writeFile(path, patch.text);
    const tree = await git(other, 'rev-parse', 'HEAD^{tree}');
    await git(other, 'reset', '--quiet', '--hard', before);
    await git(other, 'am', '--quiet', path);
    expect(await git(other, 'rev-parse', 'HEAD^{tree}')).toBe(tree);
    expect(await git(other, 'log', '-1', '--format=%B')).toBe('Täst\n\nBody');
    await rm(path);
    const diff = await visitor.get(`/ada/patched/commit/${renamed}.diff`);
    expect(diff.text).toContain('rename from a.txt\nrename to b.txt');
  });
});

describe('the form of a commit', () => {
  test('reverts it on a branch', async () => {
    const page = await signedIn(ada);
    await page.goto(address);
    await page.locator('summary', { hasText: 'Revert' }).click();
    await page.locator('#revert-branch').fill('stable');
    await page.getByRole('button', { name: 'Revert' }).click();
    expect(await page.getByText('The commit was created on the branch stable.').isVisible()).toBe(
      true,
    );
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Revert');
  });

  test('shows why a cherry-pick is impossible', async () => {
    const user = visitorAt(server.url);
    await user.signIn(ada);
    const { status, text } = await user.submit(`${address}/cherry_pick`, { branch: 'master' });
    expect(status).toBe(422);
    expect(text).toContain('we cannot cherry-pick this commit automatically');
    const missing = await user.submit(`${address}/revert`, { branch: hostile });
    expect(missing.status).toBe(422);
    expect(missing.text).toContain('Branch was not found.');
    expect((await user.submit(`${address}/nothing`)).status).toBe(404);
  });

  test('is only for users who can push', async () => {
    const anonymous = visitorAt(server.url);
    expect((await anonymous.get(address)).text).not.toContain('/revert"');
    const reporter = visitorAt(server.url);
    await reporter.signIn(rae);
    expect((await reporter.get(address)).text).not.toContain('/revert"');
    expect((await reporter.submit(`${address}/revert`, { branch: 'master' })).status).toBe(403);
    await server.as(ada).put(`/projects/${id}`, { visibility: 'private' });
    const stranger = visitorAt(server.url);
    await stranger.signIn(await seed.user('sam'));
    expect((await stranger.submit(`${address}/revert`, { branch: 'master' })).status).toBe(404);
    expect((await stranger.get(`/ada/app/diff_lines/${sha}/code.txt`)).status).toBe(404);
  });
});
