import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { repositoryFolder } from '../../server/git/address.ts';
import { gitStore } from '../../server/git/store.ts';
import { git, temporaryFolder } from '../support/git.ts';

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

const bitmaps = async () =>
  (await readdir(join(folder, 'objects/pack'))).filter((name) => name.endsWith('.bitmap'));

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
});
