import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { browser } from '../support/browser.ts';
import { commit, git, workTree } from '../support/git.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const ada = await server.seed.user('ada');
await server.seed.project('ada/app', {}, { visibility: 'public' });
const lines = Array.from({ length: 600 }, (_line, place) => `const line${place + 1} = 1;`);
const folder = await workTree({
  'src/server/main.ts': "/* one\ntwo */\nconst text = '<script>';\n",
  'src/client/index.ts': 'export {};\n',
  'docs/server.md': '# Server\n',
  'long.ts': `${lines.join('\n')}\n`,
  'data.bin': Buffer.from([0, 1, 2]),
});
await git(folder, 'tag', 'v1');
await commit(
  folder,
  { 'src/server/main.ts': "/* one\n2 */\nconst text = '<script>';\n" },
  'Change <b>line</b> 2',
);
await git(folder, 'push', '--quiet', server.remote('ada/app', ada), 'master', 'v1');
const visitor = visitorAt(server.url);
const { anonymous } = await browser(server.url);

describe('blame', () => {
  test('shows the last commit of each line', async () => {
    const page = await anonymous();
    await page.goto('/ada/app/blame/master/src/server/main.ts');
    const rows = page.getByRole('row');
    expect(await rows.nth(2).textContent()).toContain('Change <b>line</b> 2');
    expect(await rows.nth(2).locator('code').textContent()).toBe('2 */\n');
    expect(await rows.nth(3).textContent()).toContain('Initial commit');
    expect(await rows.nth(3).locator('#L3').count()).toBe(1);
    await expectAccessible(page);
  });

  test('continues colours over several hunks, and escapes the source', async () => {
    const { text } = await visitor.get('/ada/app/blame/master/src/server/main.ts');
    expect(text).toContain('<code><i class=c>2 */</i>\n');
    expect(text).not.toContain("'<script>'");
  });

  test('of a long file has pages of lines', async () => {
    const { text } = await visitor.get('/ada/app/blame/master/long.ts?page=2');
    expect(text).toContain('id="L501"');
    expect(text).toContain('line600');
    expect(text).not.toContain('line500<');
    expect(text).toContain('Page 2 of 2');
  });

  test('of a binary file, a folder and a missing file', async () => {
    expect((await visitor.get('/ada/app/blame/master/data.bin')).text).toContain('Binary file.');
    const { location } = await visitor.get('/ada/app/blame/master/src');
    expect(location).toBe('/ada/app/tree/master/src');
    expect((await visitor.get('/ada/app/blame/master/none.ts')).status).toBe(404);
    expect((await visitor.get('/ada/app/blame/none/long.ts')).status).toBe(404);
  });
});

describe('finding a file', () => {
  test('lists paths with all words, names first', async () => {
    const { text } = await visitor.get('/ada/app/find_file/master?search=SERVER&fragment=1');
    const paths = [...text.matchAll(/<a href="[^"]*">([^<]*)/g)].map(([, path]) => path);
    expect(paths).toEqual(['docs/server.md', 'src/server/main.ts']);
    const both = await visitor.get('/ada/app/find_file/master?search=ts%20client&fragment=1');
    expect(both.text).toContain('/ada/app/blob/master/src/client/index.ts');
    expect(both.text).not.toContain('main.ts');
  });

  test('opens by the key t and finds as the user types', async () => {
    const page = await anonymous({ javaScriptEnabled: true });
    await page.goto('/ada/app/tree/master');
    await page.keyboard.press('t');
    await page.waitForURL((url) => url.pathname === '/ada/app/find_file/master');
    await page.keyboard.type('index');
    await page.getByRole('link', { name: 'docs/server.md' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/ada/app/blob/master/src/client/index.ts');
  });

  test('works without scripts, and says when there is none', async () => {
    const page = await anonymous({ width: 390 });
    await page.goto('/ada/app/find_file/master');
    await page.getByLabel('Find a file by words of its path').fill('"><script>');
    await page.getByRole('button', { name: 'Find', exact: true }).last().click();
    expect(await page.getByText('No file has these words').isVisible()).toBe(true);
    await expectAccessible(page);
  });

  test('refuses too long a text and an unknown ref', async () => {
    const long = await visitor.get(`/ada/app/find_file/master?search=${'a'.repeat(300)}`);
    expect(long.status).toBe(422);
    expect((await visitor.get('/ada/app/find_file/none')).status).toBe(404);
  });
});

describe('archives', () => {
  test.each([
    ['zip', 'PK'],
    ['tar.gz', '\x1f\x8b'],
    ['tar', 'pax_global_header'],
  ])('are sent as %s', async (format, start) => {
    const response = await fetch(`${server.url}/ada/app/repository/master/archive.${format}`);
    expect(response.headers.get('Content-Disposition')).toContain(`.${format}"`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('latin1', 0, start.length)).toBe(start);
  });

  test('of a tag, also at the addresses of newer GitLab and with `ref`', async () => {
    const disposition = async (path: string) => {
      const response = await fetch(`${server.url}/ada/app/${path}`);
      await response.body?.cancel();
      return response.headers.get('Content-Disposition');
    };
    const expected = expect.stringContaining('app-v1-');
    expect(await disposition('-/archive/v1/app-v1.zip')).toEqual(expected);
    expect(await disposition('repository/archive.zip?ref=v1')).toEqual(expected);
  });

  test('are linked from the folder', async () => {
    const page = await anonymous();
    await page.goto('/ada/app/tree/v1');
    await page.getByText('Download', { exact: true }).click();
    const links = page.locator('.menu-content a[download]');
    expect(await links.allTextContents()).toEqual(['zip', 'tar.gz', 'tar.bz2', 'tar']);
    expect(await links.first().getAttribute('href')).toBe('/ada/app/repository/v1/archive.zip');
  });

  test('in another format, or of an unknown ref, do not exist', async () => {
    for (const path of ['master/archive.exe', 'none/archive.zip', 'master/readme.zip']) {
      expect((await visitor.get(`/ada/app/repository/${path}`)).status).toBe(404);
    }
  });
});
