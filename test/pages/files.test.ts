import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { commit, git, workTree } from '../support/git.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const ada = await server.seed.user('ada');
await server.seed.project('ada/app', {}, { visibility: 'public' });
const hostile = '"><script>alert(1)</script>';
const many = Object.fromEntries(
  Array.from({ length: 60 }, (_file, place) => [`many/${100 + place}.txt`, 'a\n']),
);
const folder = await workTree({
  'README.md': '# The app\n',
  'lib/main.ts': `/* Over\ntwo lines */\nconst text = '${hostile}';\nexport const a = 1;\n`,
  'lib/page.html': `<p>${hostile}</p>\n`,
  'long.ts': `const a = 1; // ${'x'.repeat(300 * 1024)}\n`,
  ...many,
});
const first = await git(folder, 'rev-parse', 'HEAD');
await symlink('lib/main.ts', join(folder, 'link.ts'));
await commit(folder, { 'lib/new.ts': 'export {};\n' }, 'Add a new file');
await git(folder, 'update-index', '--add', '--cacheinfo', `160000,${first},vendor`);
await git(folder, 'commit', '--quiet', '--message', 'Add a submodule');
const sha = await git(folder, 'rev-parse', 'HEAD');
await git(folder, 'tag', 'v1.0', first);
await git(folder, 'branch', 'feature/one', first);
await git(folder, 'push', '--quiet', server.remote('ada/app', ada), '--all');
await git(folder, 'push', '--quiet', server.remote('ada/app', ada), '--tags');
const visitor = visitorAt(server.url);
const { anonymous } = await browser(server.url);
const file = '/ada/app/blob/master/lib/main.ts';

describe('a file', () => {
  test('shows its lines in colours, escaped', async () => {
    const { text } = await visitor.get(file);
    expect(text).toContain('<i class=k>const</i>');
    expect(text).toContain('<i class=c>/* Over\ntwo lines */</i>');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script>alert');
    expect(await visitor.get(file)).toMatchObject({ status: 200 });
    expect((await visitor.get('/ada/app/blob/master/lib/page.html')).text).not.toContain(
      '<script>alert',
    );
  });

  test('shows its size, its last commit and its other pages', async () => {
    const { text } = await visitor.get('/ada/app/blob/master/lib/new.ts');
    expect(text).toContain('1 line · 11 bytes');
    expect(text).toContain('Add a new file');
    expect(text).toContain('href="/ada/app/blame/master/lib/new.ts"');
    expect(text).toContain(`href="/ada/app/blob/${sha}/lib/new.ts"`);
    const part = await visitor.get('/ada/app/blob/master/lib/main.ts?fragment=commit');
    expect(part.text).toContain('Initial commit');
    expect(part.text).not.toContain('<html');
  });

  test('of more than 256 KiB is shown without colours', async () => {
    const { text } = await visitor.get('/ada/app/blob/master/long.ts');
    expect(text).toContain('<code>const a = 1;');
  });

  test('is accessible, and marks a line without scripts', async () => {
    const page = await anonymous();
    await page.goto(`${file}#L3`);
    const mark = page.locator('#L3');
    const height = () => mark.evaluate((line) => getComputedStyle(line, '::after').height);
    expect(await height()).toBe('20px');
    await expectAccessible(page);
  });

  test('marks a range of lines, extends it, and keeps it in the permanent link', async () => {
    const page = await anonymous({ javaScriptEnabled: true });
    await page.goto(`${file}#L2-L3`);
    const marked = page.locator('.marked');
    await expect.poll(() => marked.allTextContents()).toEqual(['2', '3']);
    await page.locator('#L4').click({ modifiers: ['Shift'] });
    expect(new URL(page.url()).hash).toBe('#L2-L4');
    expect(await marked.count()).toBe(3);
    await page.keyboard.press('y');
    await page.waitForURL((url) => url.pathname === `/ada/app/blob/${sha}/lib/main.ts`);
    expect(new URL(page.url()).hash).toBe('#L2-L4');
  });
});

describe('a folder', () => {
  test('shows the size and the last commit of each entry', async () => {
    const { text } = await visitor.get('/ada/app/tree/master/lib?fragment=files');
    const row = (name: string) =>
      text.split('<tr>').find((part) => part.includes(`>${name}`)) ?? '';
    expect(row('new.ts')).toContain('Add a new file');
    expect(row('new.ts')).toContain('11 bytes');
    expect(row('main.ts')).toContain('Initial commit');
    expect(text).not.toContain('<html');
  });

  test('marks symbolic links and submodules', async () => {
    const page = await anonymous({ width: 390 });
    await page.goto('/ada/app/tree/master');
    expect(await page.getByRole('row', { name: 'vendor' }).textContent()).toContain(
      first.slice(0, 8),
    );
    expect(await page.getByRole('link', { name: 'link.ts' }).getAttribute('href')).toBe(
      '/ada/app/blob/master/link.ts',
    );
    await expectAccessible(page);
  });

  test('has pages', async () => {
    const { text } = await visitor.get('/ada/app/tree/master/many?page=2');
    expect(text).toContain('159.txt');
    expect(text).not.toContain('100.txt');
    expect(text).toContain('Page 2 of 2');
  });
});

describe('the menu of branches and tags', () => {
  test('finds a branch without scripts, and keeps the path', async () => {
    const page = await anonymous();
    await page.goto(file);
    await page.getByText('master', { exact: true }).click();
    await page.getByLabel('Find a branch or tag').fill('ONE');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    expect(await page.getByRole('link', { name: 'v1.0' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'feature/one' }).click();
    expect(new URL(page.url()).pathname).toBe('/ada/app/blob/feature/one/lib/main.ts');
  });

  test('lists them as the user types, with scripts', async () => {
    const page = await anonymous({ javaScriptEnabled: true });
    await page.goto('/ada/app/tree/master/lib');
    await page.getByText('master', { exact: true }).click();
    await page.getByRole('link', { name: 'feature/one' }).waitFor();
    await page.keyboard.type('v1');
    await page.getByRole('link', { name: 'feature/one' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/ada/app/tree/v1.0/lib');
  });

  test('escapes the search, and redirects addresses of GitLab', async () => {
    const { text } = await visitor.get(`/ada/app/refs?search=${encodeURIComponent(hostile)}`);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('None found.');
    const { location } = await visitor.get(
      '/ada/app/refs/switch?id=v1.0&destination=blob&path=a.ts',
    );
    expect(location).toBe('/ada/app/blob/v1.0/a.ts');
  });
});

describe('a private project', () => {
  test('has none of these pages for anonymous users', async () => {
    await server.seed.project('ada/secret', {}, {});
    await server.seed.push('ada/secret', { 'a.ts': 'a' });
    const pages = ['tree/master', 'blob/master/a.ts', 'blame/master/a.ts', 'find_file/master'];
    const rest = ['refs', 'repository/master/archive.zip', '-/archive/master/a.zip'];
    for (const page of [...pages, ...rest]) {
      const { status } = await visitor.get(`/ada/secret/${page}`);
      expect([page, status]).toEqual([page, 404]);
    }
  });
});
