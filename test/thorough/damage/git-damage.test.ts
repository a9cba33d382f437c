import { chmod, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { repositoryFolder } from '../../../server/git/address.ts';
import { liveGitChildren } from '../../../server/git/process/child.ts';
import { gitStore } from '../../../server/git/store.ts';
import { commit, git, temporaryFolder, workTree } from '../../support/git.ts';

const root = await temporaryFolder();
const storages = new Map([['default', root]]);
const store = gitStore({ storages });

const work = await workTree({ 'a.txt': 'a\n', 'folder/b.txt': 'b\n' });
const from = await git(work, 'rev-parse', 'HEAD');
const to = await commit(work, { 'folder/b.txt': 'c\n' }, 'Second');

afterAll(async () => {
  await store.close();
  expect(liveGitChildren()).toBe(0);
  await Promise.all([root, work].map((path) => rm(path, { recursive: true, force: true })));
});

/** A damaged repository with one pack. */
async function damaged(damage: (objects: string) => Promise<unknown>) {
  const repository = store.place('default');
  await store.create(repository, async () => {});
  const bare = repositoryFolder(storages, repository);
  await git(work, 'push', '--quiet', bare, 'master');
  await git(bare, 'repack', '-adq');
  await damage(join(bare, 'objects'));
  return repository;
}

async function packOf(objects: string): Promise<string> {
  const names = await readdir(join(objects, 'pack'));
  const path = join(objects, 'pack', names.find((name) => name.endsWith('.pack')) ?? '');
  await chmod(path, 0o644);
  return path;
}

const cases: readonly (readonly [string, (objects: string) => Promise<unknown>])[] = [
  [
    'a pack that was cut off',
    async (objects) => {
      const pack = await packOf(objects);
      await truncate(pack, Math.floor((await stat(pack)).size / 2));
    },
  ],
  ['an empty pack', async (objects) => truncate(await packOf(objects), 0)],
  ['no pack', async (objects) => rm(await packOf(objects))],
];

const readings: readonly (readonly [string, (at: RepositoryAddress) => Promise<unknown>])[] = [
  ['a branch', (at) => store.resolveCommit(at, 'master')],
  ['a reference', (at) => store.readRefs(at, ['refs/heads/master'])],
  ['commits', (at) => store.commits(at, [to])],
  ['a difference', (at) => store.diff(at, { from, to })],
  ['a comparison', (at) => store.compare(at, { from, to })],
  ['contributors', (at) => store.contributors(at, to)],
  [
    'an archive',
    async (at) => buffer(await store.openArchive(at, { commit: to, folder: 'x', format: 'tar' })),
  ],
];

describe.each(cases)('%s', (_name, damage) => {
  test.each(readings)('reading %s fails with one clear error', async (_what, read) => {
    const repository = await damaged(damage);
    await expect(read(repository)).rejects.toThrow(/^git [a-z-]+: \S/);
  });
});

test('a missing subtree is one clear error, and its siblings are readable', async () => {
  const repository = store.place('default');
  await store.create(repository, async () => {});
  const bare = repositoryFolder(storages, repository);
  await git(work, 'push', '--quiet', bare, 'master');
  const id = await git(work, 'rev-parse', `${to}:folder`);
  await rm(join(bare, 'objects', id.slice(0, 2), id.slice(2)));
  const query = { sha: to, path: '', isRecursive: false, offset: 0, limit: 10 };
  expect((await store.tree(repository, query))?.total).toBe(2);
  await expect(store.tree(repository, { ...query, isRecursive: true })).rejects.toThrow(
    /^git ls-tree: /,
  );
});

test('a missing tree object differs from a path that does not exist', async () => {
  const repository = store.place('default');
  await store.create(repository, async () => {});
  const bare = repositoryFolder(storages, repository);
  await git(work, 'push', '--quiet', bare, 'master');
  const id = await git(work, 'rev-parse', `${to}^{tree}`);
  await rm(join(bare, 'objects', id.slice(0, 2), id.slice(2)));
  const query = { sha: to, path: '', isRecursive: false, offset: 0, limit: 10 };
  await expect(store.tree(repository, query)).rejects.toThrow(`the tree of ${to} is missing`);
  expect(await store.tree(repository, { ...query, sha: '1'.repeat(40) })).toBeNull();
});
