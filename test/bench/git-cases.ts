import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '../support/git.ts';
import { type Backend, startBackend } from './backend.ts';
import type { RequestCase, WorkCase } from './measure.ts';
import { bigRepository, cachedRepository, largePush } from './repository.ts';
import { asPusher, type World } from './world.ts';

/** Small pushes per run: a single push is too short to measure reliably. */
export const pushesInRun = 5;

export const gitCaseNames = ['refs-v0', 'refs-v2', 'clone', 'push-small', 'push-100-MB'] as const;

export interface GitCases {
  readonly requests: readonly RequestCase[];
  readonly work: readonly WorkCase[];
  readonly backend: Backend;
  /** Throws if a repository is damaged after the pushes. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Clone, push and `info/refs` beside `git http-backend` on the same repositories or their copies. */
export async function gitCases(world: World, runs: number): Promise<GitCases> {
  const { service, big, folder } = world;
  const { served, copy } = await servedCopies(folder, big.folder, 'served');
  const backend = await startBackend(join(folder, 'backend'), served);
  const scratch = await mkdtemp(
    join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'millrace-bench-'),
  );
  const urls = [service.url, backend.url] as const;
  return {
    requests: refs(urls),
    work: [
      clone(urls, scratch),
      await push(world, backend, { scratch, copy, runs }),
      await firstPush(world, backend, { served, runs }),
    ],
    backend,
    check: async () => {
      for (const pushed of [big.folder, copy]) await git(pushed, 'fsck', '--full', '--no-dangling');
    },
    close: async () => {
      await backend.stop();
      await rm(scratch, { recursive: true });
    },
  };
}

/** A folder `name` of repositories for another server: `bench/big.git`, the service's own, and a copy. */
export async function servedCopies(folder: string, original: string, name: string) {
  const served = join(folder, name);
  await mkdir(join(served, 'bench'), { recursive: true });
  await symlink(original, join(served, 'bench/big.git'));
  const copy = join(served, 'bench/copy.git');
  // git never rewrites object files, so that a copy can hard-link them
  await git(folder, 'clone', '--quiet', '--bare', original, copy);
  return { served, copy };
}

type Urls = readonly [ours: string, twin: string];

function refs(urls: Urls): readonly RequestCase[] {
  const shared = {
    urls,
    goal: { kind: 'least', value: 1 } as const,
    connections: 8,
    comparison: { only: ['content-type', 'cache-control', 'expires', 'pragma'] },
  };
  const path = '/bench/big.git/info/refs?service=git-upload-pack';
  return [
    { ...shared, name: 'refs-v0', requests: [{ path, headers: {} }] },
    { ...shared, name: 'refs-v2', requests: [{ path, headers: { 'Git-Protocol': 'version=2' } }] },
  ];
}

const goal = { kind: 'most', value: 1.05 } as const;

function clone(urls: Urls, scratch: string): WorkCase {
  const target = join(scratch, 'clone.git');
  const from = (url: string) => async () => {
    await git(scratch, 'clone', '--quiet', '--bare', `${url}/bench/big.git`, target);
  };
  return {
    name: 'clone',
    unit: 's',
    goal,
    ours: from(urls[0]),
    twin: from(urls[1]),
    after: async () => {
      const source = await cachedRepository(bigRepository);
      await sameBranch(source, target, 'master');
      await rm(target, { recursive: true });
    },
  };
}

/** Pushes a branch with one small commit each time; the server has all other objects. */
async function push(
  { users, service, big }: World,
  backend: Backend,
  {
    scratch,
    copy,
    runs,
  }: { readonly scratch: string; readonly copy: string; readonly runs: number },
): Promise<WorkCase> {
  const source = join(scratch, 'source.git');
  await git(
    scratch,
    'clone',
    '--quiet',
    '--bare',
    '--shared',
    await cachedRepository(bigRepository),
    source,
  );
  const branches = await branchesToPush(source, runs * pushesInRun);
  const branchOf = (run: number, part: number) => branches[run * pushesInRun + part] ?? '';
  const to = (options: readonly string[], remote: string) => async (run: number, part: number) => {
    await git(source, ...options, 'push', '--quiet', remote, branchOf(run, part));
  };
  return {
    name: 'push-small',
    unit: 'ms',
    parts: pushesInRun,
    goal,
    ours: to(asPusher(users.member.token), `${service.url}/bench/big.git`),
    twin: to([], `${backend.url}/bench/copy.git`),
    after: (run, side) => sameBranch(source, side === 'ours' ? big.folder : copy, branchOf(run, 0)),
  };
}

/** Creates branches of one commit each on the master of `source`. */
export async function branchesToPush(source: string, count: number): Promise<readonly string[]> {
  const branches = Array.from({ length: count }, (_, number) => `small-${number}`);
  const tree = await git(source, 'rev-parse', 'master^{tree}');
  for (const branch of branches) {
    const sha = await git(source, 'commit-tree', tree, '-p', 'master', '-m', `Begin ${branch}`);
    await git(source, 'update-ref', `refs/heads/${branch}`, sha);
  }
  return branches;
}

/** Pushes 100 MB into an empty repository, a fresh one each time. */
async function firstPush(
  world: World,
  backend: Backend,
  { served, runs }: { readonly served: string; readonly runs: number },
): Promise<WorkCase> {
  const source = await cachedRepository(largePush);
  const folders: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    folders.push((await world.project(`large-${run}`)).folder);
    await git(served, 'init', '--quiet', '--bare', `bench/large-${run}.git`);
  }
  const to = (options: readonly string[], url: string) => async (run: number) => {
    await git(source, ...options, 'push', '--quiet', `${url}/bench/large-${run}.git`, 'master');
  };
  return {
    name: 'push-100-MB',
    unit: 's',
    goal,
    ours: to(asPusher(world.users.member.token), world.service.url),
    twin: to([], backend.url),
    after: async (run, side) => {
      const twinRepository = join(served, `bench/large-${run}.git`);
      await sameBranch(source, side === 'ours' ? (folders[run] ?? '') : twinRepository, 'master');
      if (side === 'twin') await rm(twinRepository, { recursive: true });
    },
  };
}

/** Throws unless `branch` points to the same commit in both. */
export async function sameBranch(source: string, other: string, branch: string): Promise<void> {
  const shas = await Promise.all(
    [source, other].map((folder) => git(folder, 'rev-parse', '--verify', `refs/heads/${branch}`)),
  );
  if (shas[0] !== shas[1]) throw new Error(`${branch} of ${other} is another commit`);
}
