import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { bundleOf } from '../../../server/backup/repositories.ts';
import { connectivityFault } from '../../../server/checks/repositories.ts';
import { repositoryFolder } from '../../../server/git/address.ts';
import { findDamaged } from '../../../server/git/process/cache-files.ts';
import { cachesAside, onCacheRepair } from '../../../server/git/process/cache-mending.ts';
import { liveGitChildren } from '../../../server/git/process/child.ts';
import { gitStore } from '../../../server/git/store.ts';
import {
  type CacheKindName,
  type CacheTemplate,
  cacheKinds,
  cacheTemplates,
  commitCount,
  copyTemplate,
  damageCache,
  damageNames,
  pathOf,
} from '../../support/damaged-caches.ts';
import { git, temporaryFolder } from '../../support/git.ts';

const root = await temporaryFolder();
const storages = new Map([['default', root]]);
const store = gitStore({ storages });
let templates: ReadonlyMap<CacheKindName, CacheTemplate>;
let [head, former, feature] = ['', '', ''];

beforeAll(async () => {
  templates = await cacheTemplates();
  const { folder } = templateOf('a commit graph');
  [head, former, feature] = (
    await git(folder, 'rev-parse', 'master', 'master~120', 'feature')
  ).split('\n') as [string, string, string];
});

afterAll(async () => {
  await store.close();
  expect(liveGitChildren()).toBe(0);
  const [{ folder }] = [templateOf('a commit graph')];
  await Promise.all([root, dirname(folder)].map((path) => rm(path, { recursive: true })));
});

function templateOf(kind: CacheKindName): CacheTemplate {
  const template = templates.get(kind);
  if (!template) throw new Error(`${kind} has no template`);
  return template;
}

const objectsOf = (repository: RepositoryAddress) =>
  join(repositoryFolder(storages, repository), 'objects');

/** A copy of a template at an address of its own, changed by `change`. */
async function copyOf(kind: CacheKindName, change = async (_folder: string) => {}) {
  const repository = store.place('default');
  const folder = repositoryFolder(storages, repository);
  await copyTemplate(templateOf(kind), folder);
  await change(folder);
  return repository;
}

const range = { from: 'all', path: '', message: '', since: null, until: null } as const;
const readings: Readonly<Record<string, (at: RepositoryAddress) => Promise<unknown>>> = {
  branches: (at) => store.branches(at),
  'a branch': (at) => store.resolveCommit(at, 'master'),
  'a page of commits': (at) => store.log(at, { ...range, offset: 0, limit: 200 }),
  'the number of commits': (at) => store.logTotal(at, range),
  'the commits of a path': (at) =>
    store.log(at, { ...range, from: head, path: pathOf(3), offset: 0, limit: 50 }),
  commits: (at) => store.commits(at, [head, former]),
  'a difference': (at) => store.diff(at, { from: former, to: head }),
  'a comparison': (at) => store.compare(at, { from: former, to: feature }),
  'a merge base': (at) => store.mergeBase(at, { target: former, head: feature }),
  'a possible merge': (at) => store.canMerge(at, { target: former, head: feature }),
  'the branches with a commit': (at) => store.branchWith(at, head),
  contributors: (at) => store.contributors(at, head),
  blame: (at) => store.blame(at, { commit: head, path: pathOf(3), first: 1, last: 9 }),
  'a search': (at) => store.searchContents(at, { commit: head, text: 'content' }),
  'an archive': async (at) =>
    (await buffer(await store.openArchive(at, { commit: head, folder: 'x', format: 'tar' })))
      .length,
  'all objects of a backup': async (at) => {
    let size = 0;
    for await (const chunk of bundleOf(storages, at, { isRetry: false })) size += chunk.length;
    return size > 0;
  },
};

describe.each(cacheKinds)('%s', (kind) => {
  const expected = new Map<string, unknown>();
  beforeAll(async () => {
    for (const [name, read] of Object.entries(readings))
      expected.set(name, await read(await copyOf(kind)));
  });

  test.each(damageNames)('that %s changes nothing of what is read', async (damage) => {
    const template = templateOf(kind);
    for (const [name, read] of Object.entries(readings)) {
      const repository = await copyOf(kind, (folder) => damageCache(template, folder, damage));
      expect([name, await read(repository)]).toEqual([name, expected.get(name)]);
      expect(await findDamaged(objectsOf(repository))).toEqual([]);
      expect(await cachesAside(objectsOf(repository))).not.toEqual([]);
    }
  });

  test.each(damageNames)('that %s is written anew by maintenance', async (damage) => {
    const template = templateOf(kind);
    const repository = await copyOf(kind, (folder) => damageCache(template, folder, damage));
    const folder = repositoryFolder(storages, repository);
    expect(await store.needsMaintenance(repository)).toBe(true);
    await store.maintain(repository);
    expect(await store.needsMaintenance(repository)).toBe(false);
    expect(await cachesAside(join(folder, 'objects'))).toEqual([]);
    await git(folder, 'fsck', '--full', '--strict');
    expect(await store.logTotal(repository, range)).toBe(commitCount + 1);
    const packs = await readdir(join(folder, 'objects/pack'));
    expect(packs.filter((name) => name.endsWith('.bitmap'))).toHaveLength(1);
  });
});

test('a cache that is damaged while a process reads the repository is set aside', async () => {
  const kind = 'the index of a pack';
  const repository = await copyOf(kind);
  expect(await store.commits(repository, [head])).toHaveLength(1);
  await damageCache(templateOf(kind), repositoryFolder(storages, repository), 'is full of zeros');
  await expect.poll(() => store.resolveCommit(repository, former)).toBe(former);
  expect(await findDamaged(objectsOf(repository))).toEqual([]);
});

test('caches that cannot be set aside are ignored', async () => {
  for (const kind of ['a commit graph', 'a multi-pack-index', 'the bitmap of a pack'] as const) {
    const repository = await copyOf(kind, async (folder) => {
      await damageCache(templateOf(kind), folder, 'is a folder');
      // as in a storage that is mounted read-only, no file can be moved
      await writeFile(join(folder, 'objects', 'damaged-caches'), 'no folder');
    });
    expect(await store.logTotal(repository, range)).toBe(commitCount + 1);
    expect(await store.log(repository, { ...range, offset: 0, limit: 1 })).toHaveLength(1);
    expect(await store.commits(repository, [head])).toHaveLength(1);
    expect(await findDamaged(objectsOf(repository))).toHaveLength(1);
  }
});

test('damaged caches of a repository that lends its objects are set aside', async () => {
  for (const kind of cacheKinds) {
    const lender = await copyOf(kind, (folder) =>
      damageCache(templateOf(kind), folder, 'has random bytes at its end'),
    );
    const borrower = store.place('default');
    await store.create(borrower, async () => {});
    const folder = repositoryFolder(storages, borrower);
    await writeFile(join(folder, 'objects/info/alternates'), `${objectsOf(lender)}\n`);
    await writeFile(join(folder, 'refs/heads/master'), `${head}\n`);
    expect(await store.logTotal(borrower, { ...range, from: head })).toBe(commitCount);
    expect(await findDamaged(objectsOf(lender))).toEqual([]);
  }
});

/** Overwrites the middle of a cache and gives it the checksum of that, as a fault of git would. */
async function falsify(path: string): Promise<void> {
  await chmod(path, 0o644);
  const bytes = await readFile(path);
  bytes.fill(0x7f, Math.floor(bytes.length / 2), Math.floor((bytes.length * 2) / 3));
  const sum = createHash('sha1').update(bytes.subarray(0, -20)).digest();
  sum.copy(bytes, bytes.length - 20);
  await writeFile(path, bytes);
}

test('caches are set aside if git fails with them and not without them', async () => {
  const kind = 'a commit graph';
  const { file } = templateOf(kind);
  const repository = await copyOf(kind, (folder) => falsify(join(folder, file)));
  expect(await store.logTotal(repository, range)).toBe(commitCount + 1);
  expect(await cachesAside(objectsOf(repository))).toHaveLength(1);
  const other = await copyOf(kind, (folder) => falsify(join(folder, file)));
  await store.maintain(other);
  expect(await store.logTotal(other, range)).toBe(commitCount + 1);
  expect(await cachesAside(objectsOf(other))).toEqual([]);
});

test('a failure of objects remains, and caches that are intact stay in their place', async () => {
  const repairs: unknown[] = [];
  const stop = onCacheRepair((repair) => repairs.push(repair));
  const repository = await copyOf('a commit graph');
  const folder = repositoryFolder(storages, repository);
  const objects = objectsOf(repository);
  for (const name of await readdir(join(objects, 'pack')))
    if (name.endsWith('.pack')) await rm(join(objects, 'pack', name));
  await expect(store.compare(repository, { from: former, to: head })).rejects.toThrow(/^git /);
  await expect(store.maintain(repository)).rejects.toThrow(/^git maintenance: /);
  expect(await connectivityFault(storages, repository)).not.toBeNull();
  expect(await readdir(join(folder, 'objects/info'))).toContain('commit-graph');
  expect(repairs).toEqual([]);
  stop();
});
