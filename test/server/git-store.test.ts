import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { diskPathOf, repositoryFolder } from '../../server/git/address.ts';
import { liveGitChildren } from '../../server/git/process/child.ts';
import { settleCreations } from '../../server/git/repositories/creation.ts';
import { gitStore } from '../../server/git/store.ts';
import { commit, git, temporaryFolder, workTree } from '../support/git.ts';

const root = await temporaryFolder();
const storages = new Map([['default', root]]);
const store = gitStore({ storages });
const all = { offset: 0, limit: 100 };

async function created(): Promise<{ repository: RepositoryAddress; folder: string }> {
  const repository = store.place('default');
  await store.create(repository, async () => {});
  return { repository, folder: repositoryFolder(storages, repository) };
}

const big = Buffer.alloc(3 * 1024 * 1024, 'millrace ');
let repository: RepositoryAddress;
let folder: string;
let work: string;
let first: string;
let second: string;

beforeAll(async () => {
  ({ repository, folder } = await created());
  work = await workTree({ 'README.md': 'hello', 'big.bin': big, 'lib/a.txt': 'a', 'lib.txt': 'x' });
  first = await git(work, 'rev-parse', 'HEAD');
  await git(work, 'tag', '-a', 'v1', '-m', 'first');
  await git(work, 'update-index', '--add', '--cacheinfo', `160000,${first},aside`);
  await writeFile(Buffer.from(`${work}/lib/\xff.txt`, 'latin1'), 'strange');
  await writeFile(join(work, 'lib', 'line\nbreak'), 'odd');
  await git(work, 'add', 'lib');
  await git(work, 'commit', '--quiet', '--message=Second');
  second = await git(work, 'rev-parse', 'HEAD');
  await git(work, 'branch', 'topic/one', first);
  await git(work, 'push', '--quiet', folder, 'master', 'topic/one', 'v1');
});

afterAll(async () => {
  await store.close();
  expect(liveGitChildren()).toBe(0);
  await rm(root, { recursive: true, force: true });
});

describe('create', () => {
  test('creates an empty bare repository and leaves no marker', async () => {
    const fresh = await created();
    expect(await git(fresh.folder, 'rev-parse', '--is-bare-repository')).toBe('true');
    expect(await store.head(fresh.repository)).toBe('refs/heads/master');
    expect(await store.countCommits(fresh.repository)).toBe(0);
    expect(await store.branches(fresh.repository)).toEqual([]);
    expect(await store.resolveCommit(fresh.repository, 'master')).toBeNull();
    expect(await readdir(join(root, '+creating'))).toEqual([]);
  });

  test('leaves nothing if its record cannot be created', async () => {
    const address = store.place('default');
    const refused = store.create(address, async () => {
      throw new Error('taken');
    });
    await expect(refused).rejects.toThrow('taken');
    expect(existsSync(repositoryFolder(storages, address))).toBe(false);
    expect(await readdir(join(root, '+creating'))).toEqual([]);
  });

  test('an unfinished repository is kept or deleted depending on its record', async () => {
    const [kept, lost, busy] = [await created(), await created(), await created()];
    const mark = (address: RepositoryAddress) =>
      join(root, '+creating', address.diskPath.slice(-32));
    const long = new Date(Date.now() - 3_600_000);
    for (const { repository: address } of [kept, lost]) {
      await writeFile(mark(address), 'elsewhere 1 1');
      await utimes(mark(address), long, long);
    }
    await writeFile(mark(busy.repository), 'elsewhere 1 1');
    const exists = async ({ diskPath }: RepositoryAddress) => diskPath === kept.repository.diskPath;
    const before = new Date(Date.now() - 60_000);
    await settleCreations(storages, exists, { unknown: before, unseen: before });
    expect(existsSync(kept.folder)).toBe(true);
    expect(existsSync(lost.folder)).toBe(false);
    expect(existsSync(busy.folder)).toBe(true);
    expect(await readdir(join(root, '+creating'))).toEqual([busy.repository.diskPath.slice(-32)]);
  });

  test('an unknown address is rejected', async () => {
    for (const diskPath of ['../../etc', 'aa/bb/cc', `aa/bb/${'0'.repeat(32)}`, ''])
      await expect(store.branches({ storage: 'default', diskPath })).rejects.toThrow('Malformed');
    const diskPath = diskPathOf('0'.repeat(32));
    await expect(store.branches({ storage: 'no', diskPath })).rejects.toThrow('no repository');
  });

  test('remove deletes everything and can be repeated', async () => {
    const doomed = await created();
    await store.remove(doomed.repository);
    await store.remove(doomed.repository);
    expect(existsSync(doomed.folder)).toBe(false);
    expect(await readdir(join(root, '+removing'))).toEqual([]);
  });
});

describe('resolveCommit', () => {
  test('a full id means the object, even if a branch has that name', async () => {
    await git(folder, 'update-ref', `refs/heads/${first}`, second);
    expect(await store.resolveCommit(repository, first)).toBe(first);
    expect(await store.resolveCommit(repository, `refs/heads/${first}`)).toBe(second);
    await git(folder, 'update-ref', '-d', `refs/heads/${first}`);
  });

  test('resolves branches, tags, full refs and ids', async () => {
    const resolve = (ref: string) => store.resolveCommit(repository, ref);
    expect(await resolve('master')).toBe(second);
    expect(await resolve('topic/one')).toBe(first);
    expect(await resolve('v1')).toBe(first);
    expect(await resolve('refs/tags/v1')).toBe(first);
    expect(await resolve('HEAD')).toBe(second);
    expect(await resolve(second)).toBe(second);
    expect(await resolve(second.slice(0, 8))).toBe(second);
    expect(await resolve('0'.repeat(40))).toBeNull();
  });

  test.each([
    ['a..b'],
    ['master^'],
    ['master~1'],
    ['master:README.md'],
    ['@{-1}'],
    ['--all'],
    ['a b'],
    ['a\nb'],
    ['a\0b'],
    ['a\\b'],
    ['/x'],
    ['x.lock'],
    [''],
  ])('rejects %j', async (ref) => {
    expect(await store.resolveCommit(repository, ref)).toBeNull();
  });

  test('rejects a name longer than any reference', async () => {
    expect(await store.resolveCommit(repository, 'x'.repeat(1025))).toBeNull();
  });
});

describe('tree', () => {
  const names = async (path: string, isRecursive = false) =>
    (await store.tree(repository, { sha: second, path, isRecursive, ...all }))?.entries.map(
      (entry) => entry.path,
    );

  test('lists trees, then blobs, then submodules, each by name', async () => {
    const page = await store.tree(repository, {
      sha: second,
      path: '',
      isRecursive: false,
      ...all,
    });
    expect(page?.total).toBe(5);
    expect(page?.entries.map(({ id: _, ...entry }) => entry)).toEqual([
      { name: 'lib', type: 'tree', path: 'lib', mode: '040000' },
      { name: 'README.md', type: 'blob', path: 'README.md', mode: '100644' },
      { name: 'big.bin', type: 'blob', path: 'big.bin', mode: '100644' },
      { name: 'lib.txt', type: 'blob', path: 'lib.txt', mode: '100644' },
      { name: 'aside', type: 'commit', path: 'aside', mode: '160000' },
    ]);
    expect(page?.entries[4]?.id).toBe(first);
  });

  test('lists a folder, or all folders recursively', async () => {
    expect(await names('lib')).toEqual(['lib/a.txt', 'lib/line\nbreak', 'lib/\ufffd.txt']);
    expect(await names('/lib/')).toEqual(await names('lib'));
    expect(await names('lib', true)).toEqual(await names('lib'));
    expect(await names('', true)).toEqual([
      'lib',
      'README.md',
      'big.bin',
      'lib.txt',
      'lib/a.txt',
      'lib/line\nbreak',
      'lib/\ufffd.txt',
      'aside',
    ]);
  });

  test('returns pages', async () => {
    const page = await store.tree(repository, {
      sha: second,
      path: '',
      isRecursive: true,
      offset: 3,
      limit: 2,
    });
    expect(page?.total).toBe(8);
    expect(page?.entries.map(({ path }) => path)).toEqual(['lib.txt', 'lib/a.txt']);
  });

  test('an unknown path is empty, an unknown commit is null', async () => {
    for (const path of ['none', 'README.md', 'lib/../lib', './lib', 'a\0b', 'lib\n'])
      expect(await names(path)).toEqual([]);
    const query = { path: '', isRecursive: false, ...all };
    expect(await store.tree(repository, { ...query, sha: '0'.repeat(40) })).toBeNull();
    expect(await store.tree(repository, { ...query, sha: 'master' })).toBeNull();
  });

  test('an entry is found by its path', async () => {
    const at = (path: string) => store.entryAt(repository, second, path);
    expect(await at('lib/a.txt')).toMatchObject({ name: 'a.txt', path: 'lib/a.txt', type: 'blob' });
    expect(await at('lib')).toMatchObject({ type: 'tree', mode: '040000' });
    expect(await at('lib/line\nbreak')).toMatchObject({ type: 'blob' });
    for (const path of ['', 'none', 'lib/none', 'none/a', '../lib'])
      expect(await at(path)).toBeNull();
  });
});

describe('blobs', () => {
  test('have a size and a content, large ones only as a stream', async () => {
    const small = await git(folder, 'rev-parse', 'master:README.md');
    const large = await git(folder, 'rev-parse', 'master:big.bin');
    expect(await store.blobSize(repository, small)).toBe(5);
    expect((await store.readBlob(repository, small, 10))?.toString()).toBe('hello');
    expect(await store.readBlob(repository, small, 4)).toBeNull();
    expect(await store.readBlob(repository, large, 1_000_000)).toBeNull();
    expect((await store.readBlob(repository, large, big.length))?.equals(big)).toBe(true);
    const stream = (await store.openBlob(repository, large)) as AsyncIterable<Buffer>;
    expect((await buffer(stream)).equals(big)).toBe(true);
  });

  test('are not commits, trees or unknown ids', async () => {
    for (const sha of [second, '0'.repeat(40), 'master', ''])
      expect(await store.blobSize(repository, sha)).toBeNull();
    await expect(store.openBlob(repository, second)).rejects.toThrow('no blob');
  });
});

test('references are listed, read and counted', async () => {
  expect(await store.branches(repository)).toEqual(['refs/heads/master', 'refs/heads/topic/one']);
  expect(await store.countCommits(repository)).toBe(2);
  expect(await store.size(repository)).toBeGreaterThan(0);
  const refs = ['refs/heads/master', 'refs/heads/none', 'refs/heads/topic', '--all'];
  expect([...(await store.readRefs(repository, refs))]).toEqual([['refs/heads/master', second]]);
  await store.setHead(repository, 'refs/heads/topic/one');
  expect(await store.head(repository)).toBe('refs/heads/topic/one');
  await store.setHead(repository, 'refs/heads/master');
  await expect(store.setHead(repository, 'refs/heads/a..b')).rejects.toThrow('Malformed');
});

test('writes and packs of another process are visible immediately', async () => {
  const tip = await commit(work, { 'new.txt': 'new' }, 'Third');
  await git(work, 'push', '--quiet', folder, 'master');
  expect(await store.resolveCommit(repository, 'master')).toBe(tip);
  await git(folder, 'gc', '--quiet', '--prune=now');
  const query = { sha: tip, path: '', isRecursive: false, ...all };
  const names = (await store.tree(repository, query))?.entries.map(({ name }) => name);
  expect(names).toContain('new.txt');
  expect(await store.resolveCommit(repository, 'topic/one')).toBe(first);
});

test('concurrent requests each get their own result', async () => {
  const refs = Array.from({ length: 500 }, (_, index) => (index % 2 ? 'v1' : 'none'));
  const resolved = await Promise.all(refs.map((ref) => store.resolveCommit(repository, ref)));
  expect(resolved).toEqual(refs.map((ref) => (ref === 'v1' ? first : null)));
});

test('a repository that is missing or damaged is one clear error', async () => {
  const missing = store.place('default');
  await expect(store.resolveCommit(missing, 'master')).rejects.toThrow('not a git repository');
  const damaged = await created();
  const other = await workTree({ 'noise.bin': randomBytes(100_000) });
  await git(other, 'push', '--quiet', damaged.folder, 'master');
  const blob = await git(damaged.folder, 'rev-parse', 'master:noise.bin');
  const objectPath = join(damaged.folder, 'objects', blob.slice(0, 2), blob.slice(2));
  await chmod(objectPath, 0o644);
  await truncate(objectPath, 50_000);
  const read = () => store.readBlob(damaged.repository, blob, 200_000);
  await expect(read()).rejects.toThrow(/^git cat-file: fatal/);
  const results = await Promise.allSettled([read(), read(), read()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(await store.resolveCommit(damaged.repository, 'master')).not.toBeNull();
});
