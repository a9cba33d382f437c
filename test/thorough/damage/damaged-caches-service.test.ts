import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { enqueueCacheRenewal } from '../../../schema/repository/housekeeping.ts';
import { withQueue } from '../../../server/commands/queue.ts';
import { findDamaged } from '../../../server/git/process/cache-files.ts';
import { cachesAside } from '../../../server/git/process/cache-mending.ts';
import { commandsOf } from '../../support/commands.ts';
import {
  type CacheKindName,
  type CacheTemplate,
  cacheKinds,
  cacheTemplates,
  commitCount,
  copyTemplate,
  type DamageName,
  damageCache,
  pathOf,
} from '../../support/damaged-caches.ts';
import { cloneDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { commit, git, temporaryFolder, tryGit } from '../../support/git.ts';
import { gitWith, sshKeyPair } from '../../support/ssh.ts';
import { world } from '../../support/world.ts';

const sshPort = await freePort();
const { as, seed, root, url, db, databaseUrl, dataFolder, remote } = await world({
  variables: { MILLRACE_SSH_PORT: String(sshPort) },
  isOneProcess: true,
});
const { run, json } = commandsOf({ DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder });
const work = await mkdtemp(join(tmpdir(), 'millrace-caches-'));
let templates: ReadonlyMap<CacheKindName, CacheTemplate>;
let key: Awaited<ReturnType<typeof sshKeyPair>>;
let [head, former, feature] = ['', '', ''];

beforeAll(async () => {
  templates = await cacheTemplates();
  key = await sshKeyPair(work);
  await as(root).post('/user/keys', { title: 'laptop', key: key.publicKey });
  [head, former, feature] = (
    await git(templateOf('a commit graph').folder, 'rev-parse', 'master', 'master~120', 'feature')
  ).split('\n') as [string, string, string];
});
afterAll(async () => {
  await rm(dirname(templateOf('a commit graph').folder), { recursive: true });
  await rm(work, { recursive: true });
});

function templateOf(kind: CacheKindName): CacheTemplate {
  const template = templates.get(kind);
  if (!template) throw new Error(`${kind} has no template`);
  return template;
}

interface Project {
  readonly id: number;
  readonly path: string;
  readonly folder: string;
  readonly objects: string;
}

let projects = 0;

/** A project with a copy of a template as its repository, with a damaged cache. */
async function projectWith(kind: CacheKindName, damage: DamageName | null): Promise<Project> {
  projects += 1;
  const path = `root/app-${projects}`;
  const { id } = await seed.project(path, {}, { visibility: 'public' });
  const { diskPath } = await db.project.update({
    where: { id },
    data: { defaultBranch: 'master' },
  });
  const folder = join(dataFolder, 'repositories', `${diskPath}.git`);
  // they would read the repository, and so mend its caches
  const unfinished = () => db.$queryRaw<unknown[]>`
    SELECT FROM pgboss.job WHERE state < 'completed' AND data->>'projectId' = ${String(id)}`;
  await vi.waitUntil(async () => (await unfinished()).length === 0, { timeout: 20_000 });
  await copyTemplate(templateOf(kind), folder);
  if (damage) await damageCache(templateOf(kind), folder, damage);
  return { id, path, folder, objects: join(folder, 'objects') };
}

/** What was done with a project, without what differs between projects. */
type Use = (project: Project) => Promise<unknown>;

const reading =
  (address: () => string): Use =>
  async ({ id }) => {
    const { status, body } = await as(root).get(`/projects/${id}/${address()}`);
    const text = JSON.stringify(body).replaceAll(new RegExp(`"project_id":${id}\\b`, 'g'), '');
    return { status, text };
  };

const cloned = async (folder: string) => ({
  commits: await git(folder, 'rev-list', '--count', '--all'),
  fault: (await tryGit(folder, 'fsck', '--strict')).stderr,
});

const target = () => join(work, crypto.randomUUID());

const uses = {
  'a page of commits': reading(() => 'repository/commits?ref_name=master&per_page=100'),
  'all commits': reading(() => 'repository/commits?all=true&per_page=1'),
  'the commits of a path': reading(
    () => `repository/commits?ref_name=master&path=${encodeURIComponent(pathOf(3))}`,
  ),
  'a commit': reading(() => `repository/commits/${head}`),
  'the references with a commit': reading(() => `repository/commits/${former}/refs`),
  'a difference': reading(() => `repository/commits/${head}/diff`),
  'a comparison': reading(() => `repository/compare?from=${former}&to=${feature}`),
  branches: reading(() => 'repository/branches'),
  'a merge base': reading(() => `repository/merge_base?refs[]=${former}&refs[]=feature`),
  contributors: reading(() => 'repository/contributors'),
  'a search': reading(() => 'search?scope=blobs&search=content'),
  'a file': reading(() => `repository/files/${encodeURIComponent(pathOf(3))}?ref=master`),
  'an archive': async ({ id }) => {
    const response = await as(root).fetch(`/projects/${id}/repository/archive.tar.gz?sha=master`);
    return { status: response.status, isWhole: (await response.arrayBuffer()).byteLength > 100 };
  },
  'a clone over HTTP': async ({ path }) => {
    const folder = target();
    await git(work, 'clone', '--quiet', '--mirror', remote(path, root), folder);
    return cloned(folder);
  },
  'a clone over SSH': async ({ path }) => {
    const folder = target();
    const address = `ssh://git@localhost:${sshPort}/${path}.git`;
    const { code, stderr } = await gitWith(
      key,
      work,
      'clone',
      '--quiet',
      '--mirror',
      address,
      folder,
    );
    return { code, stderr, ...(await cloned(folder)) };
  },
  'a fetch': async ({ path }) => {
    const folder = target();
    const { folder: template } = templateOf('a commit graph');
    await git(work, 'clone', '--quiet', '--bare', '--single-branch', template, folder);
    await git(folder, 'fetch', '--quiet', remote(path, root), 'feature');
    return git(folder, 'rev-parse', 'FETCH_HEAD');
  },
  'a push': async ({ id, path }) => {
    const folder = target();
    await git(work, 'clone', '--quiet', templateOf('a commit graph').folder, folder);
    const sha = await commit(folder, { 'new.txt': 'new' }, 'New');
    await git(folder, 'push', '--quiet', remote(path, root), 'HEAD:master');
    const { body } = await as(root).get(`/projects/${id}/repository/branches/master`);
    return (body as { commit: { id: string } }).commit.id === sha;
  },
  'a commit by the API': async ({ id }) => {
    const actions = [{ action: 'create', file_path: 'new.txt', content: 'new' }];
    const change = { branch: 'master', commit_message: 'New', actions };
    return (await as(root).post(`/projects/${id}/repository/commits`, change)).status;
  },
  'a merge': async ({ id }) => {
    const request = { source_branch: 'feature', target_branch: 'master', title: 'Merge' };
    const { body } = await as(root).post(`/projects/${id}/merge_requests`, request);
    const { iid } = body as { iid: number };
    const merged = await as(root).put(`/projects/${id}/merge_requests/${iid}/merge`);
    return [merged.status, (merged.body as { state: string }).state];
  },
  'a fork': async ({ id }) => {
    const path = `forks-${id}`;
    await seed.group(path);
    const { body } = await as(root).post(`/projects/${id}/fork`, { namespace: path });
    const fork = (body as { id: number }).id;
    const commits = `/projects/${fork}/repository/commits?ref_name=feature&per_page=1`;
    return vi.waitFor(
      async () => {
        const { status, body: listed } = await as(root).get(commits);
        expect(status).toBe(200);
        return (listed as { id: string }[])[0]?.id;
      },
      { timeout: 20_000 },
    );
  },
} satisfies Record<string, Use>;

/** Damage of each kind of which git fails, or that makes it answer wrongly. */
const worst: Readonly<Record<CacheKindName, DamageName>> = {
  'a commit graph': 'has zeros in the middle',
  'a layer of a commit graph': 'has random bytes in the middle',
  'the list of layers of a commit graph': 'is full of zeros',
  'a multi-pack-index': 'has zeros in the middle',
  'the bitmap of a multi-pack-index': 'is a folder',
  'the bitmap of a pack': 'is a folder',
  'the reverse index of a pack': 'has random bytes at its end',
  'the index of a pack': 'was cut off',
  'the times of unreachable objects': 'is a folder',
};

describe.each(Object.entries(uses))('%s', (_name, use) => {
  let expected: unknown;
  beforeAll(async () => {
    expected = await use(await projectWith('a commit graph', null));
  });

  test.each(cacheKinds.map((kind) => [kind, worst[kind]] as const))(
    'is as usual if %s %s',
    async (kind, damage) => {
      const project = await projectWith(kind, damage);
      expect(await use(project)).toEqual(expected);
    },
  );
});

const countOf = async (outcome: string) => {
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  const pattern = new RegExp(
    `^millrace_git_damaged_caches_total\\{[^}]*outcome="${outcome}"[^}]*\\} (\\d+)$`,
    'gm',
  );
  return [...metrics.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
};

describe('a damaged cache', () => {
  test.each(cacheKinds)('(%s) is counted and made anew in the background', async (kind) => {
    const [setAside, rebuilt] = [await countOf('set-aside'), await countOf('rebuilt')];
    const project = await projectWith(kind, 'has random bytes in the middle');
    expect(await uses['all commits'](project)).toMatchObject({ status: 200 });
    const count = (await countOf('set-aside')) + (await countOf('rebuilt'));
    expect(count).toBeGreaterThan(setAside + rebuilt);
    await expect.poll(() => cachesAside(project.objects)).toEqual([]);
    expect(await findDamaged(project.objects)).toEqual([]);
  });

  test('is renewed again, though housekeeping ran within the hour', async () => {
    const kind = 'a commit graph';
    const project = await projectWith(kind, null);
    expect((await as(root).post(`/projects/${project.id}/housekeeping`)).status).toBe(201);
    const isBusy = () => db.$queryRaw<unknown[]>`
      SELECT FROM pgboss.job WHERE name = 'housekeep-project' AND state < 'completed'`;
    await expect.poll(isBusy).toEqual([]);
    await copyTemplate(templateOf(kind), project.folder);
    await damageCache(templateOf(kind), project.folder, 'is full of zeros');
    expect(await uses['a page of commits'](project)).toMatchObject({ status: 200 });
    await expect.poll(() => cachesAside(project.objects)).toEqual([]);
    await expect
      .poll(() =>
        readFile(join(project.objects, 'info/commit-graphs/commit-graph-chain')).catch(() => null),
      )
      .not.toBeNull();
  });

  test('is renewed by one job, however many processes find it', async () => {
    const { id } = await projectWith('a commit graph', null);
    const { storage, diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
    await withQueue({ url: databaseUrl }, (jobs) =>
      db.$transaction(async (tx) => {
        for (let times = 0; times < 3; times += 1)
          await enqueueCacheRenewal({ storage, diskPath }, tx, { jobs });
      }),
    );
    const jobs = await db.$queryRaw<unknown[]>`
      SELECT FROM pgboss.job
      WHERE name = 'housekeep-project' AND data->>'projectId' = ${String(id)}`;
    expect(jobs).toHaveLength(1);
  });

  test('does not keep statistics from being counted', async () => {
    const project = await projectWith('the bitmap of a pack', 'is a folder');
    await uses['a push'](project);
    const count = async () =>
      (await db.projectStatistics.findUniqueOrThrow({ where: { projectId: project.id } }))
        .commitCount;
    await expect.poll(count).toBe(BigInt(commitCount + 1));
  });
});

interface Row {
  readonly check: string;
  readonly result: string;
  readonly problem: string | null;
  readonly advice: string | null;
}

async function diagnose(...options: readonly string[]) {
  const { stdout } = await run(['doctor', '--json', ...options]);
  return (JSON.parse(stdout) as readonly Row[]).filter(({ result }) => result !== 'ok');
}

describe('commands of administrators', () => {
  test.each(cacheKinds)('name %s that is damaged, and mend it', async (kind) => {
    const project = await projectWith(kind, 'has random bytes at its start');
    const found = {
      check: 'caches',
      result: 'error',
      problem: expect.stringContaining(`1: ${project.path} (`),
      advice: expect.stringContaining('doctor --fix'),
      items: [{ name: project.path, problem: expect.any(String) }],
    };
    expect(await diagnose()).toEqual([found]);
    expect(await diagnose('--fsck')).toEqual([found]);
    expect(await findDamaged(project.objects)).toHaveLength(1);
    expect(await diagnose('--fsck', '--fix')).toEqual([
      expect.objectContaining({ check: 'caches', result: 'fixed' }),
    ]);
    expect(await diagnose('--fsck')).toEqual([]);
    await expect.poll(() => cachesAside(project.objects)).toEqual([]);
  });

  test('tell missing objects from damaged caches', async () => {
    const project = await projectWith('a commit graph', 'has zeros in the middle');
    await writeFile(join(project.folder, 'refs/heads/lost'), `${'1'.repeat(40)}\n`);
    expect((await diagnose('--fsck')).map(({ check }) => check)).toEqual(['caches', 'objects']);
    expect((await run(['project', 'check', project.path])).code).toBe(1);
    await rm(join(project.folder, 'refs/heads/lost'));
    expect(await json(['project', 'check', project.path])).toMatchObject({ result: 'ok' });
    await diagnose('--fix');
  });

  test('back up and restore every repository', async () => {
    const damaged = await Promise.all(
      cacheKinds.map((kind) => projectWith(kind, 'has random bytes at its end')),
    );
    const { file } = (await json(['backup', 'create', '--to', work])) as { readonly file: string };
    const database = await cloneDatabase(databaseUrl, 'template0');
    const folder = await temporaryFolder();
    const restored = join(folder, 'data');
    const place = commandsOf({ DATABASE_URL: database.url, MILLRACE_DATA: restored });
    const keyFile = join(dataFolder, 'secret.key');
    const { code, stderr } = await place.run(['backup', 'restore', file, '--secret-key', keyFile]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('damaged')]);
    for (const { folder: original } of damaged) {
      const copy = original.replace(dataFolder, restored);
      expect(await git(copy, 'rev-list', '--count', '--all')).toBe(String(commitCount + 1));
    }
    await database.drop();
    await rm(folder, { recursive: true });
  });
});
