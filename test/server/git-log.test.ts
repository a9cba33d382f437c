import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { repositoryFolder } from '../../server/git/address.ts';
import { liveGitChildren } from '../../server/git/process/child.ts';
import { gitStore } from '../../server/git/store.ts';
import { commit, git, temporaryFolder, workTree } from '../support/git.ts';
import { holdGit } from '../support/held-git.ts';

const root = await temporaryFolder();
const storages = new Map([['default', root]]);
const store = gitStore({ storages });
const everything = { path: '', message: '', since: null, until: null, offset: 0, limit: 20 };

let repository: RepositoryAddress;
let work: string;
let first: string;
let second: string;

beforeAll(async () => {
  repository = store.place('default');
  await store.create(repository, async () => {});
  work = await workTree({ 'README.md': 'one\n' });
  first = await git(work, 'rev-parse', 'HEAD');
  second = await commit(work, { 'README.md': 'two\nthree\n' }, 'Second');
  await git(work, 'push', '--quiet', repositoryFolder(storages, repository), 'master');
});

afterAll(async () => {
  await store.close();
  expect(liveGitChildren()).toBe(0);
  await rm(root, { recursive: true, force: true });
  await rm(work, { recursive: true, force: true });
});

test('a cached result needs no git process', async () => {
  const range = { ...everything, from: second };
  expect(await store.log(repository, range)).toEqual([second, first]);
  const folder = repositoryFolder(storages, repository);
  await git(work, 'clone', '--quiet', '--bare', folder, `${root}/aside`);
  await rm(folder, { recursive: true });
  expect(await store.log(repository, range)).toEqual([second, first]);
  expect(await store.logTotal(repository, range)).toBe(2);
  await git(work, 'clone', '--quiet', '--bare', `${root}/aside`, folder);
});

test('the work is aborted when its only caller disconnects', async () => {
  const leaving = new AbortController();
  const pending = [
    store.log(repository, { ...everything, from: second, path: 'a' }, leaving.signal),
    store.log(repository, { ...everything, from: 'all' }, leaving.signal),
    store.lineCounts(repository, { from: first, to: second }, leaving.signal),
    store.branchWith(repository, first, leaving.signal),
  ];
  leaving.abort();
  for (const { status } of await Promise.allSettled(pending)) expect(status).toBe('rejected');
});

test('a remaining caller gets the result after another disconnects', async () => {
  const leaving = new AbortController();
  const query = { ...everything, from: second, path: 'README.md' };
  const aborted = store.log(repository, query, leaving.signal);
  const stays = store.log(repository, query, new AbortController().signal);
  leaving.abort();
  await expect(aborted).rejects.toThrow();
  expect(await stays).toEqual([second, first]);
  expect(await store.logTotal(repository, query)).toBe(2);
});

test('lines are counted against a commit or the empty tree', async () => {
  const counts = { additions: 2, deletions: 1 };
  expect(await store.lineCounts(repository, { from: first, to: second })).toEqual(counts);
  expect(await store.lineCounts(repository, { from: null, to: second })).toEqual({
    additions: 2,
    deletions: 0,
  });
});

test('a branch that contains the commit is found', async () => {
  expect(await store.branchWith(repository, first)).toBe('master');
});

test.each(['HEAD', '--all', '12345678'])('%s is not an id', async (from) => {
  await expect(store.log(repository, { ...everything, from })).rejects.toThrow('malformed id');
  await expect(store.lineCounts(repository, { from, to: second })).rejects.toThrow('malformed id');
  expect(await store.branchWith(repository, from)).toBeNull();
});

test('one walk finds the last commits that single searches find', async () => {
  const at = store.place('default');
  await store.create(at, async () => {});
  const folder = await workTree({ 'a.txt': 'a', 'b/c.txt': 'c', 'b/d.txt': 'd', 'e.txt': 'e' });
  await git(folder, 'checkout', '--quiet', '-b', 'side');
  await commit(folder, { 'a.txt': 'side', 'b/new.txt': 'n' }, 'Side');
  await git(folder, 'checkout', '--quiet', 'master');
  await commit(folder, { 'b/c.txt': 'main', 'e.txt': 'twice' }, 'Main');
  await git(folder, 'merge', '--quiet', '--no-ff', '-m', 'Merge', 'side');
  await commit(folder, { 'e.txt': 'e' }, 'Back');
  await commit(folder, { 'e.txt': 'twice' }, 'Again');
  await git(folder, 'push', '--quiet', repositoryFolder(storages, at), 'master');
  const head = await git(folder, 'rev-parse', 'HEAD');
  const paths = ['a.txt', 'b', 'b/c.txt', 'b/d.txt', 'b/new.txt', 'e.txt', 'none', '../x'];
  const lastCommits = await store.lastCommitsOf(at, head, paths);
  const other = gitStore({ storages });
  for (const path of paths) {
    expect(lastCommits.get(path) ?? null).toBe(await other.lastCommitOf(at, head, path));
  }
  expect(lastCommits.size).toBe(6);
  await other.close();
  await rm(folder, { recursive: true });
});

test('paths that were not found in time are not searched again at once', async () => {
  const at = store.place('default');
  await store.create(at, async () => {});
  const folder = repositoryFolder(storages, at);
  await git(work, 'push', '--quiet', folder, 'master');
  const held = await holdGit(folder);
  expect((await store.lastCommitsOf(at, second, ['README.md'])).size).toBe(0);
  await held.release();
  // git would fail
  await rm(folder, { recursive: true });
  expect((await store.lastCommitsOf(at, second, ['README.md'])).size).toBe(0);
});

test('damage is reported and not cached', async () => {
  const missing = '1'.repeat(40);
  await expect(store.log(repository, { ...everything, from: missing })).rejects.toThrow('rev-list');
  await expect(store.lineCounts(repository, { from: null, to: missing })).rejects.toThrow(
    'diff-tree',
  );
});
