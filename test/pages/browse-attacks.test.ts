import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../schema/markdown/render.ts';
import { browser } from '../support/browser.ts';
import { commit, git, workTree } from '../support/git.ts';
import { evil, evilName, evilText, expectNothingInjected } from '../support/hostile/texts.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const eve = await server.seed.user('eve');

const { id } = await server.seed.project(
  'eve/app',
  {},
  { visibility: 'public', description: evilText, snippets_enabled: true },
);
const folder = await workTree({
  'README.md': evilText,
  [`a${evil}/b${evil}.txt`]: evil,
  [`c${evil}.md`]: evilText,
  'page.html': '<script>alert(1)</script>',
  'page.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  'page.png': '<script>alert(1)</script>',
  'page.xml': '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
  'page.bin': Buffer.from('\0<script>alert(1)</script>'),
});
const sha = await commit(folder, { [`d${evil}`]: evil }, `${evil}\n\n${evilText}`);
await git(folder, 'branch', evilName, 'HEAD~1');
await git(folder, 'tag', '-m', evilText, 'v1');
const remote = server.remote('eve/app', eve);
await git(folder, 'push', '--quiet', remote, 'master', evilName, 'v1');
const api = server.as(eve);
const at = `/projects/${id}`;
const create = async (path: string, body: Record<string, unknown>) => {
  const answer = await api.post(path, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return (answer.body as { id: number }).id;
};
await create(`${at}/repository/tags/v1/release`, { description: evilText });
await create(`${at}/labels`, { name: evil, color: '#ff0000' });
await create(`${at}/issues`, { title: evil, description: evilText, labels: evil });
await create(`${at}/issues/1/notes`, { body: evilText });
await create(`${at}/merge_requests`, {
  source_branch: 'master',
  target_branch: evilName,
  title: evil,
  description: evilText,
});
await create(`${at}/wikis`, { title: 'home', content: evilText });
await create(`${at}/wikis`, { title: `w${evil}`, content: evilText });
const snippetFields = {
  title: evil,
  file_name: `${evilName}.md`.replaceAll('/', ''),
  description: evilText,
};
const snippet = await create(`${at}/snippets`, {
  ...snippetFields,
  code: evilText,
  visibility: 'public',
});
await server.as(server.root).put(`/users/${eve.id}`, {
  bio: evil,
  location: evil,
  organization: evil,
  website_url: 'javascript:alert(1)',
});

const { signedIn } = await browser(server.url);

describe('user content is never rendered as markup', async () => {
  const page = await signedIn(eve);
  const name = encodeURIComponent(evilName);
  const part = (text: string) => encodeURIComponent(text);

  test.each([
    ['a project', '/eve/app', evil],
    ['a folder', `/eve/app/tree/master/a${part(evil)}`, `b${evil}.txt`],
    ['a file', `/eve/app/blob/master/a${part(evil)}/b${part(evil)}.txt`, evil],
    ['a text', `/eve/app/blob/master/c${part(evil)}.md`, evil],
    ['its source', `/eve/app/blob/master/c${part(evil)}.md?plain=1`, evil],
    ['a branch', `/eve/app/tree/${name.replaceAll('%2F', '/')}`, evilName],
    ['branches', '/eve/app/branches', evilName],
    ['tags', '/eve/app/tags', evil],
    ['commits', '/eve/app/commits/master', evil],
    ['a commit', `/eve/app/commit/${sha}`, `d${evil}`],
    ['issues', '/eve/app/issues', evil],
    ['an issue', '/eve/app/issues/1', evil],
    ['merge requests', '/eve/app/merge_requests', evilName],
    ['a merge request', '/eve/app/merge_requests/1', evil],
    ['its changes', '/eve/app/merge_requests/1/diffs', `d${evil}`],
    ['a wiki', '/eve/app/wikis/home', evil],
    ['pages of a wiki', '/eve/app/wikis/pages', evil.replaceAll('-', ' ')],
    ['a page of a wiki', `/eve/app/wikis/w${part(evil.replaceAll(' ', '-'))}`, evil],
    ['snippets', '/eve/app/snippets', evil],
    ['a snippet', `/eve/app/snippets/${snippet}`, evil],
    ['a user', '/eve', evil],
    ['a missing page', `/eve/app/${part(evil)}?a=${part(evil)}`, null],
  ])('%s', async (_what, address, expected) => {
    const answer = await page.goto(address);
    expect(answer?.status()).toBe(expected === null ? 404 : 200);
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'");
    await expectNothingInjected(page);
    if (expected !== null) expect(await page.locator('main').textContent()).toContain(expected);
  });
});

describe('a raw file', () => {
  const visitor = visitorAt(server.url);

  test.each([
    ['page.html', 'text/plain; charset=utf-8'],
    ['page.svg', 'image/svg+xml'],
    ['page.xml', 'text/plain; charset=utf-8'],
    ['page.png', 'text/plain; charset=utf-8'],
    ['page.bin', 'application/octet-stream'],
  ])('%s has a content type that a browser does not execute', async (name, type) => {
    const { status, headers } = await visitor.get(`/eve/app/raw/master/${name}`);
    expect([status, headers.get('Content-Type')]).toEqual([200, type]);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
  });
});

describe('an unusual address', () => {
  /** Sends the path unchanged; `fetch` would normalize it. */
  const statusOf = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      request({ hostname, port, path, headers: { Accept: 'text/html' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });

  test.each([
    '/eve/app/raw/master/../../../../etc/passwd',
    '/eve/app/raw/master/%2e%2e/%2e%2e/etc/passwd',
    '/eve/app/raw/master/..%2f..%2fetc/passwd',
    '/eve/app/raw/../master/page.html',
    '/eve/app/tree/master/.',
    '/eve/app/raw/master//page.html',
    '/eve/app/raw/master/%zz',
    '/eve/app/raw/master/%ff',
    '/%',
    '//example.com/eve/app',
    '/eve/app/tree/HEAD%40%7B1%7D',
    '/eve/app/tree/master%5E',
    '/eve/app/tree/master:a',
    '/eve/app/tree/--help',
    '/eve/app/tree/-x/y',
    '/eve/app/tree/:%2Fx',
    '/eve/app/commits/%2D%2Dall',
    '/eve/app/commit/--all',
    '/eve/app/wikis/../../x',
    `/eve/app/tree/${'a/'.repeat(4000)}`,
    `/eve/app/tree/master/${'b'.repeat(8000)}`,
    `/${'c/'.repeat(3000)}`,
    `/${'d'.repeat(9000)}`,
    '/__proto__',
    '/eve/app/__proto__',
    '/eve/app/constructor',
    '/eve/app/issues/1%20OR%201',
  ])('%s responds with 404', async (path) => {
    expect(await statusOf(path)).toBe(404);
  });

  test('with a NUL character gets 400', async () => {
    expect(await statusOf('/eve/app/raw/master/page.html%00')).toBe(400);
    expect(await statusOf('/eve/app%00/raw/master/page.html')).toBe(400);
  });

  test('with an invalid page number shows the first page', async () => {
    for (const page of ['0', '-1', '1e9', '99999999999999999999', 'x']) {
      expect([page, await statusOf(`/eve/app/commits/master?page=${page}`)]).toEqual([page, 200]);
    }
  });
});

test('text that starts with two slashes does not become a link', () => {
  const linking = {
    folder: '',
    link: '',
    picture: '',
    uploads: null,
    isWiki: false,
    project: null,
    users: '',
  };
  expect(renderMarkdown({ texts: ['//a.b/ https://a.b/'], linking })).toEqual([
    '<p>//a.b/ <a href="https://a.b/" rel="nofollow noopener noreferrer">https://a.b/</a></p>\n',
  ]);
});
