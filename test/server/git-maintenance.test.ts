import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { repositoryFolder } from '../../server/git/address.ts';
import { gitStore } from '../../server/git/store.ts';
import { git, temporaryFolder, tryGit } from '../support/git.ts';
import { ageUnreachableObjects } from '../support/unreachable-objects.ts';

const root = await temporaryFolder();
const storages = new Map([['default', root]]);
const store = gitStore({ storages });

let repository: RepositoryAddress;
let folder: string;

/** Adds a pack with one commit of this many different files to the master branch. */
async function addPack(files: number, prefix: string): Promise<void> {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const paths = Array.from({ length: files }, (_, number) => `${prefix}/${number}`);
  const stream = [
    `commit refs/heads/master\ncommitter Ada <ada@example.com> 1506859200 +0000\n`,
    data(`Add ${prefix}`),
    ...((await store.branches(repository)).length > 0 ? ['from refs/heads/master^0\n'] : []),
    ...paths.map((path) => `M 100644 inline ${path}\n${data(path)}`),
  ].join('');
  const file = join(root, `${prefix}.stream`);
  await writeFile(file, stream);
  // fast-import stores few objects loose
  const options = ['-c', 'fastimport.unpackLimit=1'];
  await git(folder, ...options, '-c', `alias.load=!git fast-import --quiet < ${file}`, 'load');
}

const packFiles = async (extension: string) =>
  (await readdir(join(folder, 'objects/pack'))).filter((name) => name.endsWith(extension));

const bitmaps = () => packFiles('.bitmap');

/** How many commits have a filter of changed paths in a walk of a missing path, and how many have none. */
async function filtersUsed(): Promise<{ readonly filtered: number; readonly missing: number }> {
  const walk = 'GIT_TRACE2_EVENT=1 git rev-list master -- missing/file 2>&1';
  const text = await git(folder, '-c', `alias.traced=!${walk}`, 'traced');
  const count = (name: string) => Number(new RegExp(`"${name}":(\\d+)`).exec(text)?.[1] ?? 0);
  // a commit that changed very many paths may have changed each
  return {
    filtered: count('definitely_not') + count('maybe'),
    missing: count('filter_not_present'),
  };
}

/** All commits have filters; older git uses none for the first commit. */
async function expectFilters(): Promise<void> {
  const { filtered, missing } = await filtersUsed();
  expect(missing).toBe(0);
  expect(filtered).toBeGreaterThanOrEqual((await store.countCommits(repository)) - 1);
}

/** Stores an object that no reference leads to, with the age of its file. */
async function addUnreachable(content: string, days: number): Promise<string> {
  const store = `!printf '${content}' | git hash-object -w --stdin`;
  const id = await git(folder, '-c', `alias.store=${store}`, 'store');
  const then = new Date(Date.now() - days * 86_400_000);
  await utimes(join(folder, 'objects', id.slice(0, 2), id.slice(2)), then, then);
  return id;
}

const exists = async (id: string) => (await tryGit(folder, 'cat-file', '-e', id)).code === 0;

beforeAll(async () => {
  repository = store.place('default');
  await store.create(repository, async () => {});
  folder = repositoryFolder(storages, repository);
});

afterAll(async () => {
  await store.close();
  await rm(root, { recursive: true, force: true });
});

describe('maintenance', () => {
  test('is not needed for a small repository', async () => {
    await addPack(100, 'few');
    expect(await store.needsMaintenance(repository)).toBe(false);
  });

  test('writes the bitmap of a large one, and is not needed again', async () => {
    await addPack(10_000, 'many');
    expect(await store.needsMaintenance(repository)).toBe(true);
    expect(await bitmaps()).toEqual([]);
    await store.maintain(repository);
    expect(await bitmaps()).toHaveLength(1);
    expect(await readdir(join(folder, 'objects/info'))).toContainEqual(
      expect.stringContaining('commit-graph'),
    );
    expect(await store.needsMaintenance(repository)).toBe(false);
    expect(await store.countCommits(repository)).toBe(2);
  });

  test('is not needed for a few new packs, but for many new objects', async () => {
    await addPack(100, 'new');
    expect(await store.needsMaintenance(repository)).toBe(false);
    await addPack(10_000, 'newer');
    expect(await store.needsMaintenance(repository)).toBe(true);
    await store.maintain(repository);
    expect(await bitmaps()).toHaveLength(1);
    expect(await store.needsMaintenance(repository)).toBe(false);
    await git(folder, 'fsck', '--full');
  });

  test('writes filters, with which a walk of a path compares no commit that did not change it', async () => {
    await expectFilters();
    expect(await git(folder, 'commit-graph', 'verify')).toBe('');
  });

  test('deletes unreachable objects after two weeks, and keeps others through packing', async () => {
    const old = await addUnreachable('old', 15);
    // unreachable for the first time
    expect(await store.maintain(repository)).toBe(true);
    expect(await exists(old)).toBe(true);
    await ageUnreachableObjects(folder, 15);
    const recent = await addUnreachable('recent', 15);
    expect(await store.maintain(repository)).toBe(true);
    expect([await exists(old), await exists(recent)]).toEqual([false, true]);
    const mtimes = await packFiles('.mtimes');
    expect(mtimes).toHaveLength(1);
    for (let number = 0; number < 300; number += 100) await addPack(100, `later-${number}`);
    expect(await store.needsMaintenance(repository)).toBe(false);
    await store.packNewObjects(repository);
    expect([await exists(recent), await packFiles('.mtimes')]).toEqual([true, mtimes]);
  });
});

test('a process that reads objects does not keep deleted packs for long', async () => {
  const fileOf = (pid: string, name: string) =>
    readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const readers = async () => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const commands = await Promise.all(pids.map((pid) => fileOf(pid, 'cmdline')));
    return pids.filter(
      (_, at) => /cat-file/.test(commands[at] ?? '') && commands[at]?.includes(folder),
    );
  };
  let others = await readers();
  /** Those that the processes of this test have mapped. */
  const deletedPacks = async () => {
    const pids = (await readers()).filter((pid) => !others.includes(pid));
    const maps = await Promise.all(pids.map((pid) => fileOf(pid, 'maps')));
    return maps.join('\n').match(/\.pack \(deleted\)$/gm)?.length ?? 0;
  };
  const readAll = async (reader: typeof store) => {
    await reader.resolveCommit(repository, 'master');
    await reader.commitBehind(repository, await git(folder, 'rev-parse', 'master'));
  };
  const longLived = gitStore({ storages });
  const replaced = gitStore({ storages, helpers: { maxAgeMs: 0 } });
  await store.maintain(repository);
  await readAll(longLived);
  await addPack(100, 'between');
  await store.maintain(repository);
  await readAll(longLived);
  expect(await deletedPacks()).toBeGreaterThan(0);
  await longLived.close();
  others = await readers();
  await readAll(replaced);
  await addPack(100, 'afterwards');
  await store.maintain(repository);
  await readAll(replaced);
  await expect.poll(deletedPacks).toBe(0);
  await replaced.close();
});

describe('packing', () => {
  const loose = async () =>
    Number(/^count: (\d+)$/m.exec(await git(folder, 'count-objects', '-v'))?.[1]);

  test('is needed for many loose objects, many packs, or commits without a filter', async () => {
    expect(await store.needsPacking(repository)).toBe(false);
    for (let number = 0; number < 300; number += 1) await addUnreachable(`loose ${number}`, 0);
    expect(await store.needsPacking(repository)).toBe(true);
    await store.packNewObjects(repository);
    expect([await loose(), await store.needsPacking(repository)]).toEqual([0, false]);
    for (let number = 0; number < 20; number += 1) await addPack(3, `pack-${number}`);
    expect(await store.needsPacking(repository)).toBe(true);
    await store.packNewObjects(repository);
    expect(await store.needsPacking(repository)).toBe(false);
    expect((await packFiles('.pack')).length).toBeLessThan(12);
    await addPack(4_000, 'large');
    expect(await store.needsPacking(repository)).toBe(true);
    await store.packNewObjects(repository);
    expect(await store.needsPacking(repository)).toBe(false);
    await expectFilters();
    await git(folder, 'fsck', '--full');
  });

  test('leaves the pack with the bitmap as it is', async () => {
    await store.maintain(repository);
    const before = await bitmaps();
    const { mtimeMs } = await stat(join(folder, 'objects/pack', `${before[0]}`));
    for (let number = 0; number < 20; number += 1) await addPack(3, `more-${number}`);
    await store.packNewObjects(repository);
    expect(await bitmaps()).toEqual(before);
    expect((await stat(join(folder, 'objects/pack', `${before[0]}`))).mtimeMs).toBe(mtimeMs);
  });

  test('writes all filters if housekeeping of an older version left a graph without', async () => {
    await git(
      folder,
      'commit-graph',
      'write',
      '--reachable',
      '--split=replace',
      '--no-changed-paths',
    );
    expect((await filtersUsed()).filtered).toBe(0);
    expect(await store.needsPacking(repository)).toBe(true);
    await store.packNewObjects(repository);
    await expectFilters();
  });

  test('ignores a wiki that does not exist', async () => {
    const wiki = store.wikiOf(repository);
    expect(await store.needsPacking(wiki)).toBe(false);
    await store.packNewObjects(wiki);
    expect(await stat(repositoryFolder(storages, wiki)).catch(() => null)).toBeNull();
  });
});
