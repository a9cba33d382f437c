import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, workTree } from '../../support/git.ts';
import { treeOf, withHeaders, writeOdd, writeRaw } from '../../support/raw-objects.ts';
import { failedViews } from '../../support/repository-views.ts';
import { world } from '../../support/world.ts';

const { as, seed, url, db, dataFolder, remote } = await world();
const ada = await seed.user('ada');
await seed.group('acme', { owner: ada });

const latin = (text: string) => Buffer.from(text, 'latin1');
const projectOf = async (path: string) => {
  const { id } = await seed.project(`acme/${path}`);
  await seed.push(`acme/${path}`, { 'README.md': 'text\n', '.gitlab-ci.yml': 'a: { script: b }' });
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  return { id, bare: join(dataFolder, 'repositories', `${diskPath}.git`) };
};
const view = (id: number, path: string, more: object) =>
  failedViews({ as, url }, { id, fullPath: `acme/${path}`, viewer: ada, ...more });

describe('odd annotated tags', () => {
  const tagger = 'Ada <ada@example.com> 1700000000 +0000';

  const tags = (commit: string, tree: string, blob: string) =>
    ({
      'no-tagger': [
        [
          ['object', commit],
          ['type', 'commit'],
          ['tag', 'x'],
        ],
        'no tagger\n',
      ],
      'utf-16': [
        [
          ['object', commit],
          ['type', 'commit'],
          ['tag', 'x'],
          ['tagger', tagger],
          ['encoding', 'UTF-16'],
        ],
        'wide\n',
      ],
      'not-utf-8': [
        [
          ['object', commit],
          ['type', 'commit'],
          ['tag', 'x'],
          ['tagger', latin(`\xff${tagger}`)],
        ],
        latin('\xff\xe9\n'),
      ],
      'of-a-tree': [
        [
          ['object', tree],
          ['type', 'tree'],
          ['tag', 'x'],
          ['tagger', tagger],
        ],
        'tree\n',
      ],
      'of-a-blob': [
        [
          ['object', blob],
          ['type', 'blob'],
          ['tag', 'x'],
          ['tagger', tagger],
        ],
        'blob\n',
      ],
      'bad-tagger': [
        [
          ['object', commit],
          ['type', 'commit'],
          ['tag', 'x'],
          ['tagger', 'Ada'],
        ],
        'bad\n',
      ],
      'empty-tagger': [
        [
          ['object', commit],
          ['type', 'commit'],
          ['tag', 'x'],
          ['tagger', ''],
        ],
        'bad\n',
      ],
      nul: [
        [
          ['object', commit],
          ['type', 'commit'],
          ['tag', 'x'],
          ['tagger', tagger],
        ],
        'N\0UL\n',
      ],
      time: [
        [
          ['object', commit],
          ['type', 'commit'],
          ['tag', 'x'],
          ['tagger', `A <a> ${'9'.repeat(99)} +99999`],
        ],
        'time\n',
      ],
    }) as const;

  test('break no list or page', async () => {
    const { id, bare } = await projectOf('tags');
    const commit = await git(bare, 'rev-parse', 'master');
    const tree = await git(bare, 'rev-parse', 'master^{tree}');
    const blob = await git(bare, 'rev-parse', 'master:README.md');
    const all = Object.entries(tags(commit, tree, blob));
    for (const [name, [lines, message]] of all) {
      const tag = await writeRaw(bare, 'tag', withHeaders(lines, message));
      await git(bare, 'update-ref', `refs/tags/${name}`, tag);
    }
    const inner = await git(bare, 'rev-parse', 'refs/tags/utf-16');
    const outer = withHeaders(
      [
        ['object', inner],
        ['type', 'tag'],
        ['tag', 'x'],
      ],
      'outer\n',
    );
    await git(bare, 'update-ref', 'refs/tags/of-a-tag', await writeRaw(bare, 'tag', outer));
    await git(bare, 'update-ref', 'refs/tags/plain-tree', tree);
    await git(bare, 'update-ref', 'refs/tags/plain-blob', blob);
    const names = [...all.map(([name]) => name), 'of-a-tag', 'plain-tree', 'plain-blob'];
    expect(await view(id, 'tags', { commits: [commit], tags: names })).toEqual([]);
    const { body } = await as(ada).get(`/projects/${id}/repository/tags`);
    const shown = body as { name: string; message: string | null; commit: object | null }[];
    expect(shown.map(({ name }) => name).sort()).toEqual(names.sort());
    const messageOf = (name: string) => shown.find((tag) => tag.name === name)?.message;
    expect(messageOf('utf-16')).toBe('wide');
    expect(messageOf('of-a-tag')).toBe('outer');
  }, 60_000);
});

const odd = (blob: string, tree: string) => [
  { mode: '100644', name: ' ', id: blob },
  { mode: '100644', name: '-option', id: blob },
  { mode: '100644', name: 'a\nb', id: blob },
  { mode: '100644', name: 'c\x01\x1b\r\u202e', id: blob },
  { mode: '100644', name: latin('d\xff\xfe\xe9'), id: blob },
  { mode: '160000', name: 'e-gitlink', id: '1'.repeat(40) },
  { mode: '040000', name: 'f-padded', id: tree },
  { mode: '120000', name: 'g-link', id: blob },
  { mode: '100644', name: `h${'x'.repeat(3_000)}`, id: blob },
  { mode: '40000', name: latin('i\xff'), id: tree },
  { mode: '100644', name: '\ufeff"\'<&>?#%2f\\', id: blob },
];

describe('odd trees', () => {
  test('that a push may contain break no list or page', async () => {
    const { id } = await projectOf('trees');
    const folder = await workTree({ 'README.md': 'text\n' });
    await git(folder, 'fetch', '--quiet', remote('acme/trees', ada), 'master');
    const parent = await git(folder, 'rev-parse', 'FETCH_HEAD');
    const blob = await git(folder, 'rev-parse', 'HEAD:README.md');
    const below = await git(folder, 'rev-parse', 'HEAD^{tree}');
    const modules = await writeRaw(
      folder,
      'blob',
      Buffer.from('[submodule "x"]\n\tpath\n\turl = \n'),
    );
    const content = treeOf([
      ...odd(blob, below).slice(0, 2),
      { mode: '100644', name: '.gitmodules', id: modules },
      ...odd(blob, below).slice(2),
    ]);
    const tree = await writeRaw(folder, 'tree', content);
    const commit = await writeOdd(folder, tree, parent, { title: 'odd tree' });
    await git(folder, 'push', '--quiet', remote('acme/trees', ada), `${commit}:refs/heads/master`);
    expect(await db.push.count()).toBe(0);
    await expect.poll(() => db.event.count({ where: { projectId: id } })).toBeGreaterThan(1);
    expect(
      await view(id, 'trees', {
        commits: [commit],
        files: [' ', '-option', 'a\nb', 'c\x01\x1b\r\u202e'],
      }),
    ).toEqual([]);
    const { body } = await as(ada).get(`/projects/${id}/repository/tree?per_page=100`);
    expect(body).toHaveLength(12);
  }, 60_000);

  test('that only a repository on disk may contain break no list or page', async () => {
    const { id, bare } = await projectOf('placed');
    const parent = await git(bare, 'rev-parse', 'master');
    const blob = await git(bare, 'rev-parse', 'master:README.md');
    const below = await git(bare, 'rev-parse', 'master^{tree}');
    const content = treeOf([
      ...odd(blob, below),
      ...['.', '..', '.git', 'a/b', 'z', 'z', 'b'].map((name) => ({
        mode: '100644',
        name,
        id: blob,
      })),
      { mode: '40000', name: 'z', id: below },
      { mode: '100600', name: 'mode', id: blob },
      { mode: '777', name: 'mode2', id: blob },
      { mode: '100644', name: 'zeros', id: '0'.repeat(40) },
      { mode: '100644', name: 'missing', id: '2'.repeat(40) },
      { mode: '40000', name: 'missing-tree', id: '3'.repeat(40) },
    ]);
    const tree = await writeRaw(bare, 'tree', content);
    const commit = await writeOdd(bare, tree, parent, { title: 'odd tree' });
    await git(bare, 'update-ref', 'refs/heads/placed', commit);
    const listed = await as(ada).get(`/projects/${id}/repository/tree?ref=placed&per_page=100`);
    expect(listed.status).toBe(200);
    expect(listed.body).toHaveLength(24);
    const failed = await view(id, 'placed', { commits: [], branches: ['placed'] });
    expect(failed).toEqual([]);
    const page = await fetch(`${url}/api/v4/projects/${id}/repository/commits/placed`, {
      headers: { 'Private-Token': ada.token },
    });
    expect(page.status).toBe(200);
    // a change of such a folder would lose entries
    const change = { branch: 'placed', content: 'x', commit_message: 'x' };
    const changed = await as(ada).post(`/projects/${id}/repository/files/new.txt`, change);
    expect(changed.status).toBe(400);
  }, 60_000);

  test.each([
    ['of line breaks', '\n'.repeat(2 ** 20)],
    ['of 70,000 letters', 'n'.repeat(70_000)],
  ])('a file name %s stops no search, diff or list', async (_what, name) => {
    const path = `long-${name.length}`;
    const { id } = await projectOf(path);
    const folder = await workTree({ 'README.md': 'needle\n' });
    await git(folder, 'fetch', '--quiet', remote(`acme/${path}`, ada), 'master');
    const parent = await git(folder, 'rev-parse', 'FETCH_HEAD');
    const blob = await git(folder, 'rev-parse', 'HEAD:README.md');
    const entries = [name, 'z'].map((each) => ({ mode: '100644', name: each, id: blob }));
    const tree = await writeRaw(folder, 'tree', treeOf(entries));
    const commit = await writeOdd(folder, tree, parent, { title: 'long name' });
    await git(
      folder,
      'push',
      '--quiet',
      remote(`acme/${path}`, ada),
      `${commit}:refs/heads/master`,
    );
    const project = `/projects/${id}`;
    const found = await as(ada).get(`${project}/search?scope=blobs&search=needle`);
    expect(found.status).toBe(200);
    expect((found.body as { readonly filename: string }[]).map(({ filename }) => filename)).toEqual(
      [name, 'z'],
    );
    for (const view of [`commits/${commit}/diff`, `compare?from=${parent}&to=${commit}`]) {
      expect((await as(ada).get(`${project}/repository/${view}`)).status).toBe(200);
    }
    expect(await db.push.count()).toBe(0);
  });
});
