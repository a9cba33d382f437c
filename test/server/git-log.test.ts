import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { repositoryFolder } from '../../server/git/address.ts';
import { liveGitChildren } from '../../server/git/process/child.ts';
import { gitStore } from '../../server/git/store.ts';
import { commit, git, temporaryFolder, workTree } from '../support/git.ts';

const root = await temporaryFolder();
const storages = new Map([['default', root]]);
const store = gitStore({ storages });
const everything = { path: '', since: null, until: null, offset: 0, limit: 20 };

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

test('what was read once is told without git', async () => {
  const page = { ids: [second, first], total: 2 };
  expect(await store.log(repository, { ...everything, from: second })).toEqual(page);
  const folder = repositoryFolder(storages, repository);
  await git(work, 'clone', '--quiet', '--bare', folder, `${root}/aside`);
  await rm(folder, { recursive: true });
  expect(await store.log(repository, { ...everything, from: second })).toEqual(page);
  await git(work, 'clone', '--quiet', '--bare', `${root}/aside`, folder);
});

test('whoever goes away takes the work along', async () => {
  const leaving = new AbortController();
  const asked = [
    store.log(repository, { ...everything, from: second, path: 'a' }, leaving.signal),
    store.log(repository, { ...everything, from: 'all' }, leaving.signal),
    store.lineCounts(repository, { from: first, to: second }, leaving.signal),
    store.branchWith(repository, first, leaving.signal),
  ];
  leaving.abort();
  for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected');
});

test('who stays is answered although another one went away', async () => {
  const leaving = new AbortController();
  const query = { ...everything, from: second, path: 'README.md' };
  const gone = store.log(repository, query, leaving.signal);
  const stays = store.log(repository, query, new AbortController().signal);
  leaving.abort();
  await expect(gone).rejects.toThrow();
  expect(await stays).toEqual({ ids: [second, first], total: 2 });
});

test('lines are counted against a commit or against nothing', async () => {
  const counts = { additions: 2, deletions: 1 };
  expect(await store.lineCounts(repository, { from: first, to: second })).toEqual(counts);
  expect(await store.lineCounts(repository, { from: null, to: second })).toEqual({
    additions: 2,
    deletions: 0,
  });
});

test('a branch is named that has a commit behind it', async () => {
  expect(await store.branchWith(repository, first)).toBe('master');
});

test.each(['HEAD', '--all', '12345678'])('%s is no id', async (from) => {
  await expect(store.log(repository, { ...everything, from })).rejects.toThrow('malformed id');
  await expect(store.lineCounts(repository, { from, to: second })).rejects.toThrow('malformed id');
  expect(await store.branchWith(repository, from)).toBeNull();
});

test('damage is told, and nothing of it is kept', async () => {
  const missing = '1'.repeat(40);
  await expect(store.log(repository, { ...everything, from: missing })).rejects.toThrow('rev-list');
  await expect(store.lineCounts(repository, { from: null, to: missing })).rejects.toThrow(
    'diff-tree',
  );
});
