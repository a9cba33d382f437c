import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { gitStore } from '../../server/git/store.ts';
import { commit, git, temporaryFolder, tryGit, workTree } from '../support/git.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, dataFolder, remote } = await world();
const work = await workTree({ 'README.md': '# App\n' });
afterAll(() => rm(work, { recursive: true }));

/** The number of loose objects and packs when no job is left, with some room for the last pushes. */
const maxLooseObjects = 300;
const maxPacks = 20;
const hour = 3_600_000;

const folderOf = async (id: number, suffix = '') => {
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  return join(dataFolder, 'repositories', `${diskPath}${suffix}.git`);
};

const countsOf = async (folder: string) => {
  const text = await git(folder, 'count-objects', '-v');
  const count = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]);
  return { loose: count('count'), packs: count('packs'), packed: count('in-pack') };
};

/** Waits until no job of statistics, housekeeping or packing is left. */
const jobsDone = () =>
  expect
    .poll(async () => {
      const [row] = await db.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int AS count FROM pgboss.job
        WHERE state < 'completed'
          AND name IN ('refresh-statistics', 'housekeep-project', 'pack-project', 'fork-project')`;
      return row.count;
    })
    .toBe(0);

/** Changes of `count` files, each of which is an object, and its commit. */
const changes = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, number) => [`${number}.txt`, crypto.randomUUID()]),
  );

const push = (fullPath: string) => git(work, 'push', '--quiet', remote(fullPath, root), 'master');

/** Pushes of 62 objects each, which git stores as files of their own. */
async function pushMany(fullPath: string, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    await commit(work, changes(60), `Change ${number}`);
    await push(fullPath);
  }
}

async function expectSound(folder: string): Promise<void> {
  expect(await tryGit(folder, 'fsck', '--full', '--strict')).toMatchObject({ code: 0 });
  const clone = await temporaryFolder();
  await git(clone, 'clone', '--quiet', '--bare', '--no-local', folder, 'clone');
  expect(await git(join(clone, 'clone'), 'rev-list', '--all', '--count')).toBe(
    await git(folder, 'rev-list', '--all', '--count'),
  );
  await rm(clone, { recursive: true });
}

const filesBelow = async (folder: string) => (await readdir(folder, { recursive: true })).length;

describe('small pushes', () => {
  test('are packed in the background, so that loose objects and packs stay few', async () => {
    const { id } = await seed.project('root/app');
    await pushMany('root/app', 20);
    await jobsDone();
    const folder = await folderOf(id);
    const { loose, packs, packed } = await countsOf(folder);
    expect(loose).toBeLessThan(maxLooseObjects);
    expect(packs).toBeLessThan(maxPacks);
    expect(loose + packed).toBeGreaterThan(20 * 60);
    expect(await filesBelow(join(folder, 'objects'))).toBeLessThan(2 * maxLooseObjects + 100);
    await expectSound(folder);
    // and the size of the project is that of the packs
    const { repositorySize } = await db.projectStatistics.findUniqueOrThrow({
      where: { projectId: id },
    });
    expect(Number(repositorySize)).toBeLessThan(loose * 4096 + 400 * 1024);
  });

  test('to a fork, too, while it shares objects with its source', async () => {
    const source = await db.project.findFirstOrThrow({ where: { path: 'app' } });
    const group = await seed.group('forks');
    const forked = await as(root).post(`/projects/${source.id}/fork`, { namespace: 'forks' });
    expect(forked.status).toBe(201);
    const { id } = forked.body as { id: number };
    expect(group.id).toBeGreaterThan(0);
    await expect
      .poll(async () => (await db.project.findUniqueOrThrow({ where: { id } })).importStatus)
      .toBe('finished');
    await pushMany('forks/app', 8);
    await push('root/app');
    await pushMany('root/app', 8);
    await jobsDone();
    for (const folder of [await folderOf(id), await folderOf(source.id)]) {
      const { loose, packs } = await countsOf(folder);
      expect(loose).toBeLessThan(maxLooseObjects);
      expect(packs).toBeLessThan(maxPacks);
      await expectSound(folder);
    }
  });

  test('of more than 100 objects leave few packs', async () => {
    const { id } = await seed.project('root/packs');
    for (let number = 0; number < maxPacks + 5; number += 1) {
      await commit(work, changes(110), `Pack ${number}`);
      await push('root/packs');
    }
    await jobsDone();
    const folder = await folderOf(id);
    expect((await countsOf(folder)).packs).toBeLessThan(maxPacks);
    await expectSound(folder);
  });

  test('are packed after a kill has left locks and temporary files', async () => {
    const { id } = await seed.project('root/killed');
    await push('root/killed');
    await pushMany('root/killed', 5);
    await jobsDone();
    const folder = await folderOf(id);
    const graphs = join(folder, 'objects/info/commit-graphs');
    const left = [
      [join(graphs, 'commit-graph-chain.lock'), hour],
      [join(folder, 'objects/pack/.tmp-123-pack-1.pack'), 25 * hour],
      [join(folder, 'objects/pack/tmp_pack_XXXXXX'), 25 * hour],
      [join(graphs, 'tmp_graph_XXXXXX'), 25 * hour],
    ] as const;
    for (const [path, age] of left) {
      await writeFile(path, '');
      const then = new Date(Date.now() - age);
      await utimes(path, then, then);
    }
    await pushMany('root/killed', 6);
    await jobsDone();
    expect((await countsOf(folder)).loose).toBeLessThan(maxLooseObjects);
    for (const [path] of left) expect(await stat(path).catch(() => null)).toBeNull();
    await expectSound(folder);
  });
});

test('edits of a wiki are packed', async () => {
  const { id } = await seed.project('root/wiki');
  const url = remote('root/wiki.wiki', root);
  expect(
    (await as(root).post(`/projects/${id}/wikis`, { title: 'home', content: '1' })).status,
  ).toBe(201);
  const clone = await temporaryFolder();
  await git(clone, 'clone', '--quiet', url, 'wiki');
  for (let number = 0; number < 8; number += 1) {
    await commit(join(clone, 'wiki'), changes(60), `Edit ${number}`);
    await git(join(clone, 'wiki'), 'push', '--quiet', url, 'master');
  }
  await rm(clone, { recursive: true });
  await jobsDone();
  const folder = await folderOf(id, '.wiki');
  expect((await countsOf(folder)).loose).toBeLessThan(maxLooseObjects);
  await expectSound(folder);
});

test('several processes that pack a repository while users push lose no object', async () => {
  const { id } = await seed.project('root/races');
  const storages = new Map([['default', join(dataFolder, 'repositories')]]);
  const stores = [gitStore({ storages }), gitStore({ storages })];
  const { storage, diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  const repository = { storage, diskPath };
  const heads: string[] = [];
  let isPushing = true;
  const pushing = (async () => {
    for (let number = 0; number < 15; number += 1) {
      heads.push(await commit(work, changes(60), `Race ${number}`));
      await push('root/races');
    }
    isPushing = false;
  })();
  // one of two that replace the same packs may fail; its job repeats it
  const packing = stores.map(async (store) => {
    while (isPushing) await store.packNewObjects(repository).catch(() => {});
  });
  await Promise.all([pushing, ...packing]);
  for (const store of stores) await store.close();
  await jobsDone();
  const folder = await folderOf(id);
  for (const head of heads) await git(folder, 'cat-file', '-e', `${head}^{tree}`);
  expect((await countsOf(folder)).loose).toBeLessThan(maxLooseObjects);
  await expectSound(folder);
});
