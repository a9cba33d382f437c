import { execFileSync } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectivityFault } from '../../../server/checks/repositories.ts';
import { nul, repositoryDamages } from '../../fixtures/repository-damages.ts';
import { commandsOf } from '../../support/commands.ts';
import {
  type CacheKindName,
  type CacheTemplate,
  cacheTemplates,
  copyTemplate,
} from '../../support/damaged-caches.ts';
import { cloneDatabase } from '../../support/database.ts';
import { git, tryGit } from '../../support/git.ts';
import { treeOf, writeRaw } from '../../support/raw-objects.ts';
import { world } from '../../support/world.ts';

const storageRoot = join(tmpdir(), `storages-${crypto.randomUUID()}`);
const [repositories, small] = [join(storageRoot, 'default'), join(storageRoot, 'small')];
for (const folder of [repositories, small]) await mkdir(folder, { recursive: true });
const variables = { MILLRACE_STORAGES: `default=${repositories},small=${small}` };

let isMounted = false;

/** Mounts a file system of 8 MB; false if this account cannot mount. */
function mountSmall(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', small], { stdio: 'ignore' });
    isMounted = true;
    return true;
  } catch {
    return false;
  }
}

function unmountSmall(): void {
  isMounted = false;
  execFileSync('umount', ['--lazy', small]);
}

const canMount = mountSmall();
if (canMount) unmountSmall();

const { as, seed, root, db, databaseUrl, dataFolder, remote } = await world({ variables });
const { run } = commandsOf({
  ...variables,
  DATABASE_URL: databaseUrl,
  MILLRACE_DATA: dataFolder,
});
let templates: ReadonlyMap<CacheKindName, CacheTemplate>;
let intact: { readonly id: number; readonly folder: string };

beforeAll(async () => {
  templates = await cacheTemplates();
  intact = await projectOf('root/intact');
});
afterAll(async () => {
  await rm(dirname(templateOf('a commit graph').folder), { recursive: true });
  if (isMounted) unmountSmall();
  await rm(storageRoot, { recursive: true });
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
  const folder = join(repositories, `${diskPath}.git`);
  await copyTemplate(templateOf(kind), folder);
  return { id, folder };
}

const damages = repositoryDamages({
  templateOf,
  fix: () => run(['doctor', '--fix']),
  smallDisk: {
    root: small,
    enter: async (folder, id) => {
      mountSmall();
      const target = folder.replace(repositories, small);
      await cp(folder, target, { recursive: true });
      await db.project.update({ where: { id }, data: { storage: 'small' } });
      return target;
    },
    leave: async (id) => {
      await db.project.update({ where: { id }, data: { storage: 'default' } });
      unmountSmall();
    },
  },
});

interface Row {
  readonly check: string;
  readonly result: string;
  readonly problem: string | null;
}

/** What `doctor` finds: each check, with the projects that it names. */
async function findings(): Promise<readonly (readonly [string, readonly string[]])[]> {
  const { stdout } = await run(['doctor', '--fsck', '--json']);
  const rows = JSON.parse(stdout) as readonly Row[];
  const pathsIn = (text: string | null) => [...new Set(text?.match(/root\/p[0-9a-f]{8}/g) ?? [])];
  return rows
    .filter(({ result }) => result !== 'ok')
    .map(({ check, problem }) => [check, pathsIn(problem)]);
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
    if (row?.change)
      expect([name, users]).toEqual([name, expect.stringContaining(`${row.change}`)]);
    expect([name, check]).toEqual([
      name,
      row?.check === null ? '–' : expect.stringContaining(`\`${row?.check}\``),
    ]);
  }
});

/** Findings name at most so many repositories each. */
const namedAtOnce = 5;

/** The kinds in groups for each of which `doctor` runs once; it names no repository for a disk. */
function groupsOf(names: readonly string[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  const counts = new Map<string | null, number>();
  for (const name of names) {
    const { check = null, isMount = false } = damages[name] ?? {};
    const count = counts.get(check) ?? 0;
    counts.set(check, count + 1);
    const key = isMount ? name : String(Math.trunc(count / namedAtOnce));
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()];
}

describe.each(groupsOf(Object.keys(damages)).map((names) => ({ names })))(
  'damage, group %#',
  ({ names }) => {
    const isMount = names.some((name) => damages[name]?.isMount);
    const projects = new Map<string, Awaited<ReturnType<typeof projectOf>> & { path: string }>();
    let found: Awaited<ReturnType<typeof findings>>;

    beforeAll(async () => {
      if (isMount && !canMount) return;
      for (const name of names) {
        const path = `root/p${crypto.randomUUID().slice(0, 8)}`;
        const project = await projectOf(path, damages[name]?.kind);
        projects.set(name, { ...project, path });
        await damages[name]?.damage(project.folder, project.id);
      }
      found = await findings();
    });

    test.skipIf(isMount && !canMount).each(names)(
      '%s: the response, the finding and the repair are those of the documentation',
      async (name) => {
        const project = projects.get(name);
        const damaged = damages[name];
        if (!project || !damaged) throw new Error(`${name} was not prepared`);
        const { id, folder, path } = project;
        const { response, check } = damaged;
        const naming = found.filter(([, paths]) => isMount || paths?.includes(path));
        const checks = naming.map(([by]) => by);
        expect([name, checks]).toEqual([
          name,
          isMount ? expect.arrayContaining([check]) : check === null ? [] : [check],
        ]);
        const at = `/projects/${id}/repository`;
        const change = async (to: string) =>
          (await as(root).post(`${at}/branches`, { branch: to, ref: 'master' })).status;
        const statuses = async (to: string) => [
          name,
          (await as(root).get(`${at}/branches/master`)).status,
          (await as(root).get(`${at}/commits?ref_name=master&per_page=1`)).status,
          await change(to),
        ];
        const changed = damaged.change ?? (response === 503 ? 503 : 201);
        expect(await statuses('new')).toEqual([
          name,
          damaged.branch ?? response,
          response,
          changed,
        ]);
        expect((await as(root).get(`/projects/${intact.id}/repository/commits`)).status).toBe(200);
        await damaged.mend(folder, id);
        expect(await statuses('later')).toEqual([name, 200, 200, 201]);
      },
    );
  },
);

test('a file that was cut off is missing', async () => {
  const { id, folder } = await projectOf('root/cut');
  const blob = await writeRaw(folder, 'blob', Buffer.from('loose'));
  const tree = await writeRaw(
    folder,
    'tree',
    treeOf([{ mode: '100644', name: 'a.txt', id: blob }]),
  );
  const commit = await git(folder, 'commit-tree', tree, '-m', 'Loose');
  await git(folder, 'update-ref', 'refs/heads/topic', commit);
  const repository = await db.project.findUniqueOrThrow({ where: { id } });
  const storages = new Map([['default', repositories]]);
  expect(await connectivityFault(storages, repository)).toBeNull();
  const path = join(folder, 'objects', blob.slice(0, 2), blob.slice(2));
  await chmod(path, 0o644);
  await truncate(path, 5);
  expect(await connectivityFault(storages, repository)).toContain(blob.slice(2));
  await git(folder, 'update-ref', '-d', 'refs/heads/topic');
  await rm(path);
});

test('nothing is left of the damage', async () => {
  expect(await findings()).toEqual([]);
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
  const copy = folder.replace(repositories, join(restored, 'repositories'));
  expect((await git(copy, 'for-each-ref', '--format=%(refname)')).split('\n')).toEqual([
    'refs/heads/feature',
    'refs/heads/master',
  ]);
  await database.drop();
});
