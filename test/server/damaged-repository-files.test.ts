import { cp, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandsOf } from '../support/commands.ts';
import {
  type CacheKindName,
  type CacheTemplate,
  cacheTemplates,
  copyTemplate,
  damageCache,
} from '../support/damaged-caches.ts';
import { cloneDatabase } from '../support/database.ts';
import { git, tryGit } from '../support/git.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, databaseUrl, dataFolder, remote } = await world();
const { run } = commandsOf({ DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder });
let templates: ReadonlyMap<CacheKindName, CacheTemplate>;
let intact: { readonly id: number; readonly folder: string };

beforeAll(async () => {
  templates = await cacheTemplates();
  intact = await projectOf('root/intact');
});
afterAll(async () => {
  await rm(dirname(templateOf('a commit graph').folder), { recursive: true });
});

function templateOf(kind: CacheKindName): CacheTemplate {
  const template = templates.get(kind);
  if (!template) throw new Error(`${kind} has no template`);
  return template;
}

async function projectOf(path: string, kind: CacheKindName = 'a commit graph') {
  const { id } = await seed.project(path, {}, { visibility: 'public' });
  const { diskPath } = await db.project.update({
    where: { id },
    data: { defaultBranch: 'master' },
  });
  const folder = join(dataFolder, 'repositories', `${diskPath}.git`);
  await copyTemplate(templateOf(kind), folder);
  return { id, folder };
}

interface Damage {
  readonly kind?: CacheKindName;
  readonly damage: (folder: string) => Promise<unknown>;
  /** What the table of the documentation says. */
  readonly mend: (folder: string) => Promise<unknown>;
  readonly response: 200 | 503;
  /** The check of `doctor`. */
  readonly check: string;
}

const cacheDamage = (kind: CacheKindName): Damage => ({
  kind,
  damage: (folder) => damageCache(templateOf(kind), folder, 'has random bytes in the middle'),
  mend: async () => {},
  response: 200,
  check: 'caches',
});

/** Damage of a file that is not a cache; it is put back from a backup. */
const fileDamage = (
  name: string,
  damage: (path: string, folder: string) => Promise<unknown>,
  check = 'repository files',
): Damage => ({
  damage: async (folder) => {
    await git(folder, 'pack-refs', '--all');
    await cp(folder, `${folder}.copy`, { recursive: true });
    await damage(join(folder, name), folder);
  },
  mend: async (folder) => {
    await rm(join(folder, name), { recursive: true, force: true });
    await cp(join(`${folder}.copy`, name), join(folder, name), { recursive: true });
    await rm(`${folder}.copy`, { recursive: true });
  },
  response: 503,
  check,
});

const nul = Buffer.alloc(41);

/** The rows of the table in docs/administration.md. */
const damages: Readonly<Record<string, Damage>> = {
  'commit graph': cacheDamage('a commit graph'),
  'layer of a commit graph': cacheDamage('a layer of a commit graph'),
  'list of the layers of a commit graph': cacheDamage('the list of layers of a commit graph'),
  'multi-pack-index': cacheDamage('a multi-pack-index'),
  'bitmap of a multi-pack-index': cacheDamage('the bitmap of a multi-pack-index'),
  'bitmap of a pack': cacheDamage('the bitmap of a pack'),
  'reverse index of a pack': cacheDamage('the reverse index of a pack'),
  'times of unreachable objects': cacheDamage('the times of unreachable objects'),
  'index of a pack': cacheDamage('the index of a pack'),
  'missing index of a pack': {
    ...cacheDamage('the index of a pack'),
    damage: (folder) => rm(join(folder, templateOf('the index of a pack').file)),
  },
  'empty `HEAD`': {
    ...fileDamage('HEAD', (path) => writeFile(path, '')),
    mend: async (folder) => {
      await run(['doctor', '--fix']);
      await rm(`${folder}.copy`, { recursive: true });
    },
  },
  'broken `config`': fileDamage('config', (path) => writeFile(path, '[core\n')),
  'missing folder `refs`': fileDamage('refs', (path) => rm(path, { recursive: true })),
  'reference without an id': {
    ...fileDamage('refs', async (path) => {
      await mkdir(join(path, 'heads'), { recursive: true });
      await writeFile(join(path, 'heads/master'), nul);
    }),
  },
  'empty `packed-refs`': fileDamage('packed-refs', (path) => writeFile(path, '')),
  'broken `packed-refs`': fileDamage('packed-refs', (path) => writeFile(path, nul)),
  'missing object': fileDamage(
    'objects',
    async (path) => {
      for (const name of await readdir(join(path, 'pack')))
        if (name.endsWith('.pack')) await rm(join(path, 'pack', name));
    },
    'objects',
  ),
  'missing repository': fileDamage('', (path) => rm(path, { recursive: true }), 'repositories'),
};

interface Row {
  readonly check: string;
  readonly result: string;
  readonly problem: string | null;
}

async function findings() {
  const { stdout } = await run(['doctor', '--fsck', '--json']);
  const rows = JSON.parse(stdout) as readonly Row[];
  return rows.filter(({ result }) => result !== 'ok').map(({ check }) => check);
}

test('the table of the documentation has a row for each kind of damage', async () => {
  const text = await readFile('docs/administration.md', 'utf8');
  const [, section = ''] = text.split('### Damaged repositories\n');
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  const cells = rows
    .slice(1)
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| /, '')));
  expect(cells.map(([name]) => name)).toEqual(Object.keys(damages));
  for (const [name = '', users = '', check = ''] of cells) {
    const row = damages[name];
    expect([name, users.startsWith('503')]).toEqual([name, row?.response === 503]);
    expect([name, check.includes(`\`${row?.check}\``)]).toEqual([name, true]);
  }
});

describe.each(Object.entries(damages))('%s', (name, { kind, damage, mend, response, check }) => {
  test('is responded to, found and mended as the documentation says', async () => {
    const { id, folder } = await projectOf(`root/p${crypto.randomUUID().slice(0, 8)}`, kind);
    await damage(folder);
    expect(await findings()).toEqual([check]);
    const branch = () => as(root).get(`/projects/${id}/repository/branches/master`);
    const commits = () =>
      as(root).get(`/projects/${id}/repository/commits?ref_name=master&per_page=1`);
    expect([name, (await branch()).status]).toEqual([name, response]);
    expect([name, (await commits()).status]).toEqual([name, response]);
    expect((await as(root).get(`/projects/${intact.id}/repository/commits`)).status).toBe(200);
    await mend(folder);
    expect([name, (await branch()).status, (await commits()).status]).toEqual([name, 200, 200]);
    expect(await findings()).toEqual([]);
  });
});

describe('a branch whose file is full of NULs', () => {
  test('is no missing branch, and others are listed and read', async () => {
    const { id, folder } = await projectOf('root/branches');
    await git(folder, 'pack-refs', '--all');
    await git(folder, 'update-ref', 'refs/heads/topic', 'master');
    await writeFile(join(folder, 'refs/heads/topic'), nul);
    const at = (address: string) => as(root).get(`/projects/${id}/repository/${address}`);
    expect((await at('branches/topic')).status).toBe(503);
    expect((await at('commits?ref_name=topic')).status).toBe(503);
    expect((await at('branches/none')).status).toBe(404);
    const { body } = await at('branches');
    expect((body as { name: string }[]).map((one) => one.name)).toEqual(['feature', 'master']);
    expect((await at('branches/master')).status).toBe(200);
    const clone = join(dataFolder, 'clone');
    const options = ['--quiet', '--single-branch', '--branch=feature'];
    const address = remote('root/branches', root);
    expect((await tryGit(dataFolder, 'clone', ...options, address, clone)).code).toBe(0);
  });
});

test('maintenance deletes no object of a repository whose packed references are empty', async () => {
  const { id, folder } = await projectOf('root/emptied');
  await git(folder, 'pack-refs', '--all');
  await rename(join(folder, 'packed-refs'), join(folder, 'packed-refs.away'));
  await writeFile(join(folder, 'packed-refs'), '');
  for (const name of await readdir(join(folder, 'objects/pack'))) {
    const past = new Date('2020-01-01');
    await utimes(join(folder, 'objects/pack', name), past, past);
  }
  expect((await as(root).post(`/projects/${id}/housekeeping`)).status).toBe(201);
  const failed = () => db.$queryRaw<unknown[]>`
    SELECT FROM pgboss.job WHERE name = 'housekeep-project' AND state = 'retry'
      AND data->>'projectId' = ${String(id)}`;
  await expect.poll(failed).toHaveLength(1);
  await rename(join(folder, 'packed-refs.away'), join(folder, 'packed-refs'));
  expect((await tryGit(folder, 'fsck', '--full')).code).toBe(0);
});

test('a backup has all that can be read, and names the rest', async () => {
  const headless = await projectOf('root/headless');
  await writeFile(join(headless.folder, 'HEAD'), '');
  const { folder } = await projectOf('root/half');
  await git(folder, 'update-ref', 'refs/heads/topic', 'master');
  await writeFile(join(folder, 'refs/heads/topic'), nul);
  const target = join(dataFolder, 'backups');
  await mkdir(target);
  const { code, stderr } = await run(['backup', 'create', '--to', target]);
  expect(code).toBe(1);
  expect(stderr).toContain('but for these repositories:');
  expect(stderr).toMatch(/\.bundle: git for-each-ref: fatal: not a git repository/);
  expect(stderr).toContain('.bundle: refs/heads/topic is damaged, and left out');
  const [file = ''] = await readdir(target);
  expect(await run(['backup', 'verify', join(target, file)])).toMatchObject({ code: 0 });
  const database = await cloneDatabase(databaseUrl, 'template0');
  const restored = join(dataFolder, 'restored');
  const place = commandsOf({ DATABASE_URL: database.url, MILLRACE_DATA: restored });
  const key = join(dataFolder, 'secret.key');
  await place.run(['backup', 'restore', join(target, file), '--secret-key', key]);
  const copy = folder.replace(dataFolder, restored);
  expect((await git(copy, 'for-each-ref', '--format=%(refname)')).split('\n')).toEqual([
    'refs/heads/feature',
    'refs/heads/master',
  ]);
  await database.drop();
});
