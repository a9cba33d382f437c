import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { commit, git, workTree } from './git.ts';
import { world } from './world.ts';

/** A version of a merge request as REST lists it. */
export interface TestVersion {
  readonly id: number;
  readonly head_commit_sha: string;
  readonly real_size: string | null;
}

/** A project whose branches are pushed from a work tree, and the versions of its merge requests. */
export async function versionedWorld() {
  const started = await world({ settings: { defaultBranchProtection: 0 } });
  const { as, seed, remote, db, dataFolder } = started;
  const ada = await seed.user('ada');
  const bob = await seed.user('bob');
  const { id: app } = await seed.project('ada/app', { developer: bob });
  const list = `/projects/${app}/merge_requests`;

  const folder = await workTree({ 'a.txt': 'a\n' });
  const start = await git(folder, 'rev-parse', 'HEAD');
  afterAll(() => rm(folder, { recursive: true }));
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id: app } });
  const repository = join(dataFolder, 'repositories', `${diskPath}.git`);

  /** Commits a file to a branch, which begins at `from` again, and gives the commit. */
  const branch = async (name: string, path: string, from = start) => {
    await git(folder, 'checkout', '--quiet', '-B', name, from);
    return commit(folder, { [path]: `${name}\n` }, `Add ${path}`);
  };
  const push = (...refs: readonly string[]) =>
    git(folder, 'push', '--quiet', '--force', remote('ada/app', bob), ...refs);
  await push('master');

  /** A merge request of a branch with one commit into a branch of its own. */
  const createMergeRequest = async (name: string) => {
    const head = await branch(name, `${name}.txt`);
    await push(name, `${start}:refs/heads/into-${name}`);
    const input = { source_branch: name, target_branch: `into-${name}`, title: name };
    const response = await as(bob).post(list, input);
    expect(response.status).toBe(201);
    const { id, iid } = response.body as { readonly id: number; readonly iid: number };
    return { id, iid, head, path: `${list}/${iid}`, versions: `${list}/${iid}/versions` };
  };
  const versionsOf = async (path: string) => {
    const { status, body } = await as(bob).get(`${path}?per_page=100`);
    expect(status).toBe(200);
    return body as readonly TestVersion[];
  };
  /** Waits until the versions have these heads, the newest first, and gives them. */
  const versionsWith = async (path: string, ...heads: readonly string[]) => {
    const shas = async () => (await versionsOf(path)).map(({ head_commit_sha: sha }) => sha);
    await expect.poll(shas, { timeout: 60_000 }).toEqual(heads);
    return versionsOf(path);
  };
  const near = { ada, bob, app, list, folder, start, repository };
  return { ...started, ...near, branch, push, createMergeRequest, versionsOf, versionsWith };
}
