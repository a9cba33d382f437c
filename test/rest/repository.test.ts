import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');

await seed.group('acme', {}, { visibility: 'public' });
const { id: app } = await seed.project('acme/app', {}, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', { reporter: bob, guest: carl });
const { id: empty } = await seed.project('ada/empty');
const repository = `/projects/${app}/repository`;

const binary = Buffer.from([0, 1, 2, 255, 254]);
const latin = Buffer.from('caf\xe9 noir', 'latin1');
const folder = await workTree({
  'README.md': '# App\n',
  'a/b/deep.txt': 'deep',
  'a/c.txt': 'c',
  'ä ö.txt': 'umlauts',
  'empty.txt': '',
  'logo.bin': binary,
  'menu.txt': latin,
  'page.html': '<script>alert(1)</script>',
  'run.sh': '#!/bin/sh\n',
});
await symlink('README.md', join(folder, 'link'));
await git(folder, 'update-index', '--add', '--chmod=+x', 'run.sh');
const module = '1234567890123456789012345678901234567890';
await git(folder, 'update-index', '--add', '--cacheinfo', `160000,${module},vendor`);
await git(folder, 'add', 'link');
await git(folder, 'commit', '--quiet', '--message=All kinds of entries');
await git(folder, 'tag', 'v1');
const tip = await git(folder, 'rev-parse', 'HEAD');
await git(folder, 'checkout', '--quiet', '-b', 'feature/x');
await git(folder, 'rm', '--quiet', '--cached', 'vendor');
await commit(folder, { 'only-here.txt': 'here' }, 'On a branch');
await git(folder, 'push', '--quiet', remote('acme/app', root), '--all');
await git(folder, 'push', '--quiet', remote('acme/app', root), '--tags');
const idOf = (name: string) => git(folder, 'rev-parse', `v1:${name}`);
await seed.push('ada/closed', { 'secret.txt': 'secret' });
afterAll(() => rm(folder, { recursive: true }));

const entry = async (path: string, type = 'blob', mode = '100644') => ({
  id: type === 'commit' ? module : await idOf(path),
  name: path.split('/').at(-1),
  type,
  path,
  mode,
});

describe('GET /projects/:id/repository/tree', () => {
  const top = async () => [
    await entry('a', 'tree', '040000'),
    await entry('README.md'),
    await entry('empty.txt'),
    await entry('link', 'blob', '120000'),
    await entry('logo.bin'),
    await entry('menu.txt'),
    await entry('page.html'),
    await entry('run.sh', 'blob', '100755'),
    await entry('ä ö.txt'),
    await entry('vendor', 'commit', '160000'),
  ];

  test('lists folders, files and submodules, each sorted by name', async () => {
    expect(await as(null).get(`${repository}/tree?ref=v1`)).toEqual({
      status: 200,
      body: await top(),
    });
  });

  test.each(['', '?ref=master', '?ref=refs/heads/master', '?ref=refs/tags/v1', `?ref=${tip}`])(
    'accepts other names of the commit: %s',
    async (query) => {
      expect((await as(null).get(`${repository}/tree${query}`)).body).toEqual(await top());
    },
  );

  test('a path selects a folder', async () => {
    for (const path of ['a', 'a/', '/a']) {
      expect(await as(null).get(`${repository}/tree?path=${path}`)).toEqual({
        status: 200,
        body: [await entry('a/b', 'tree', '040000'), await entry('a/c.txt')],
      });
    }
  });

  test('recursive=true lists all levels', async () => {
    expect(await as(null).get(`${repository}/tree?path=a&recursive=true`)).toEqual({
      status: 200,
      body: [
        await entry('a/b', 'tree', '040000'),
        await entry('a/b/deep.txt'),
        await entry('a/c.txt'),
      ],
    });
  });

  test('accepts a branch with a slash', async () => {
    const { body } = await as(null).get(`${repository}/tree?ref=feature/x`);
    expect(body).toContainEqual(expect.objectContaining({ path: 'only-here.txt' }));
  });

  test('is paginated', async () => {
    const response = await as(null).fetch(`${repository}/tree?per_page=3&page=2`);
    const body = await response.json();
    expect({ total: response.headers.get('X-Total'), body }).toEqual({
      total: '10',
      body: (await top()).slice(3, 6),
    });
  });

  test.each(['nowhere', 'README.md', 'a/../a', '..', '.git', 'a//b'])(
    'the path %s gives an empty page',
    async (path) => {
      expect(await as(null).get(`${repository}/tree?path=${path}`)).toEqual({
        status: 200,
        body: [],
      });
    },
  );

  test.each([
    'nothing',
    'ada..bob',
    '../x',
    'master:README.md',
    'HEAD^',
    'master@{0}',
    '--all',
    'a b',
    '%0A',
    module,
    'x'.repeat(5000),
  ])('the ref %s gives 404', async (ref) => {
    expect(await as(null).get(`${repository}/tree?ref=${encodeURIComponent(ref)}`)).toEqual(
      refused.missing('Tree'),
    );
  });

  test('an empty repository gives 404', async () => {
    expect(await as(ada).get(`/projects/${empty}/repository/tree`)).toEqual(
      refused.missing('Tree'),
    );
  });

  test.each([
    ['recursive=perhaps', 'recursive is invalid'],
    ['ref=a%00b', 'ref is invalid'],
    ['path[]=a', 'path is invalid'],
    ['page=x', 'page is invalid'],
  ])('%s is rejected: %s', async (query, text) => {
    expect(await as(null).get(`${repository}/tree?${query}`)).toEqual(refused.parameter(text));
  });
});

describe('access to the code', () => {
  const paths = ['tree', 'blobs/x', 'blobs/x/raw'];

  test('a reporter reads a private project', async () => {
    const { status } = await as(bob).get(`/projects/${closed}/repository/tree`);
    expect(status).toBe(200);
  });

  test.each(paths)('a guest of a private project gets 403 for %s', async (path) => {
    expect(await as(carl).get(`/projects/${closed}/repository/${path}`)).toEqual(refused.forbidden);
  });

  test.each(paths)('anonymous users and non-members get 404 for %s', async (path) => {
    const eve = await seed.user(`eve-${path.length}`);
    for (const person of [null, eve]) {
      expect(await as(person).get(`/projects/${closed}/repository/${path}`)).toEqual(
        refused.missing('Project'),
      );
    }
  });

  test('permissions are checked before parameters', async () => {
    expect(await as(carl).get(`/projects/${closed}/repository/tree?recursive=x`)).toEqual(
      refused.forbidden,
    );
    expect(await as(null).get(`/projects/${closed}/repository/tree?page=x`)).toEqual(
      refused.missing('Project'),
    );
  });
});

describe('GET /projects/:id/repository/blobs/:sha', () => {
  test.each([
    ['README.md', Buffer.from('# App\n')],
    ['logo.bin', binary],
    ['empty.txt', Buffer.alloc(0)],
    ['link', Buffer.from('README.md')],
  ])('%s is returned with its content in Base64', async (name, content) => {
    const sha = await idOf(name);
    expect(await as(null).get(`${repository}/blobs/${sha}`)).toEqual({
      status: 200,
      body: { size: content.length, encoding: 'base64', content: content.toString('base64'), sha },
    });
  });

  test.each(['file_path', 'filepath'])('accepts a commit with %s', async (name) => {
    const sha = await idOf('a/c.txt');
    for (const ref of [tip, 'v1', 'master', 'feature%2Fx']) {
      expect(await as(null).get(`${repository}/blobs/${ref}?${name}=a/c.txt`)).toEqual({
        status: 200,
        body: { size: 1, encoding: 'base64', content: 'Yw==', sha },
      });
    }
  });

  test.each([
    ['a commit without a path', () => tip],
    ['a branch without a path', () => 'master'],
    ['a tree', () => idOf('a')],
    ['an unknown id', () => module],
    ['a short id', async () => (await idOf('README.md')).slice(0, 10)],
    ['an invalid id', () => 'nonsense'],
    ['an option', () => '--batch'],
    ['a revision', () => 'v1:README.md'],
    ['a folder', () => 'v1?file_path=a'],
    ['a path outside the repository', () => 'v1?file_path=../README.md'],
    ['a missing path', () => 'v1?file_path=nowhere'],
    ['a missing ref', () => 'nothing?file_path=README.md'],
  ])('%s gives 404', async (_name, sha) => {
    expect(await as(null).get(`${repository}/blobs/${await sha()}`)).toEqual(
      refused.missing('Blob'),
    );
  });

  test('rejects a path with NUL', async () => {
    expect(await as(null).get(`${repository}/blobs/v1?file_path=a%00`)).toEqual(
      refused.parameter('file_path is invalid'),
    );
  });
});

describe('GET /projects/:id/repository/blobs/:sha/raw', () => {
  test.each([
    ['README.md', Buffer.from('# App\n'), 'text/plain; charset=utf-8', 'inline'],
    ['page.html', Buffer.from('<script>alert(1)</script>'), 'text/plain; charset=utf-8', 'inline'],
    ['menu.txt', latin, 'text/plain; charset=iso-8859-1', 'inline'],
    ['logo.bin', binary, 'application/octet-stream', 'attachment'],
    ['empty.txt', Buffer.alloc(0), 'text/plain; charset=utf-8', 'inline'],
  ])('%s is returned byte for byte', async (name, content, type, disposition) => {
    const sha = await idOf(name);
    const response = await as(null).fetch(`${repository}/blobs/${sha}/raw`);
    expect({
      status: response.status,
      type: response.headers.get('Content-Type'),
      disposition: response.headers.get('Content-Disposition'),
      length: response.headers.get('Content-Length'),
      sniff: response.headers.get('X-Content-Type-Options'),
      policy: response.headers.get('Content-Security-Policy'),
      body: Buffer.from(await response.arrayBuffer()),
    }).toEqual({
      status: 200,
      type,
      disposition: `${disposition}; filename="${sha}"`,
      length: String(content.length),
      sniff: 'nosniff',
      policy: "default-src 'none'; sandbox",
      body: content,
    });
  });

  test('returns a large file completely', async () => {
    const large = Buffer.alloc(5 * 1024 * 1024 + 1, 'millrace\n');
    const { id } = await seed.project('ada/large');
    await seed.push('ada/large', { 'large.txt': large });
    const response = await as(ada).fetch(
      `/projects/${id}/repository/blobs/master/raw?file_path=large.txt`,
    );
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(large)).toBe(true);
    const shown = await as(ada).get(`/projects/${id}/repository/blobs/master?file_path=large.txt`);
    const { content, ...rest } = shown.body as { content: string };
    expect(rest).toEqual({ size: large.length, encoding: 'base64', sha: expect.any(String) });
    expect(Buffer.from(content, 'base64').equals(large)).toBe(true);
  });

  test('a commit without a path gives 404', async () => {
    expect(await as(null).get(`${repository}/blobs/${tip}/raw`)).toEqual(refused.missing('Blob'));
  });
});
