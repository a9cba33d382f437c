import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { git } from '../support/git.ts';
import type { WorkCase } from './measure.ts';
import { bigRepository, cachedRepository } from './repository.ts';
import { rootToken } from './service.ts';
import type { Repository, World } from './world.ts';

export const mergeCase = 'merge';

const parts = 3;
/** How many commits the target branch has that the source has not. */
const behind = 500;

/**
 * Merges of branches in a 320 MB repository by `PUT …/merge`, beside git's own
 * `merge-tree` and `commit-tree` in the same repository, which update no branch and notify no hook.
 */
export async function mergingCase(world: World, runs: number): Promise<WorkCase> {
  const { service, users } = world;
  const project = await world.project('merging');
  const { folder } = project;
  await git(folder, 'fetch', '--quiet', await cachedRepository(bigRepository), 'master:master');
  const start = await git(folder, 'rev-parse', 'refs/heads/master');
  const count = runs * parts;
  const from = await git(folder, 'rev-parse', `${start}~${behind}`);
  await createBranches(folder, { start, from, count });
  const headers = {
    'Private-Token': users.member.token,
    'Content-Type': 'application/json',
  };
  const iids = await offer(world, project, count, headers);
  const list = `${service.url}/api/v4/projects/${project.id}/merge_requests`;
  return {
    name: mergeCase,
    unit: 'ms',
    parts,
    goal: { kind: 'most', value: 2 },
    ours: async (run, part) => {
      const url = `${list}/${iids[run * parts + part]}/merge`;
      const response = await fetch(url, { method: 'PUT', headers });
      const text = await response.text();
      if (response.status !== 200)
        throw new Error(`${url} responded with ${response.status}: ${text}`);
    },
    twin: async (run, part) => {
      const head = branchOf('theirs', run * parts + part);
      const tree = await git(folder, 'merge-tree', '--write-tree', start, head);
      await git(folder, 'commit-tree', tree, '-p', start, '-p', head, '-m', `Merge ${head}`);
    },
    after: async (run, side) => {
      if (side === 'twin') return;
      const number = run * parts;
      await git(folder, 'cat-file', '-e', `${targetOf(number)}:${pathOf('ours', number)}`);
    },
  };
}

/** Each has its own target: after a merge the service rechecks all other requests for the same target. */
const targetOf = (number: number) => `into-${number}`;
const branchOf = (side: string, number: number) => `${side}-${number}`;
const pathOf = (side: string, number: number) =>
  `folder-${number % 40}/part-${number % 7}/${branchOf(side, number)}.txt`;

/** Each branch has one commit with its own file; the same for both sides. */
async function createBranches(
  folder: string,
  { start, from, count }: Readonly<{ start: string; from: string; count: number }>,
): Promise<void> {
  const child = spawn('git', ['fast-import', '--quiet'], {
    cwd: folder,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const exit = once(child, 'exit');
  for (const side of ['ours', 'theirs']) {
    for (let number = 0; number < count; number += 1) {
      const content = `${branchOf(side, number)}\n`;
      child.stdin.write(
        `commit refs/heads/${branchOf(side, number)}\n` +
          `committer Ada <ada@example.com> 1500000000 +0000\ndata ${content.length}\n${content}` +
          `from ${from}\nM 100644 inline ${pathOf(side, number)}\n` +
          `data ${content.length}\n${content}\n`,
      );
    }
  }
  for (let number = 0; number < count; number += 1) {
    child.stdin.write(`reset refs/heads/${targetOf(number)}\nfrom ${start}\n\n`);
  }
  child.stdin.end();
  const [code] = await exit;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

/** Creates a merge request for each of our branches and reads its merge status. */
async function offer(
  { service }: World,
  { id }: Repository,
  count: number,
  headers: Readonly<Record<string, string>>,
): Promise<readonly number[]> {
  const list = `${service.url}/api/v4/projects/${id}/merge_requests`;
  const request = async (url: string, options: RequestInit = {}) => {
    const response = await fetch(url, { headers, ...options });
    if (!response.ok)
      throw new Error(`${url} responded with ${response.status}: ${await response.text()}`);
    return (await response.json()) as { readonly iid: number; readonly merge_status: string };
  };
  await fetch(`${service.url}/api/v4/projects/${id}`, {
    method: 'PUT',
    headers: { 'Private-Token': rootToken, 'Content-Type': 'application/json' },
    body: JSON.stringify({ default_branch: 'master' }),
  });
  const iids: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const source_branch = branchOf('ours', number);
    const target_branch = targetOf(number);
    const body = { source_branch, target_branch, title: `Merge ${source_branch}` };
    const { iid } = await request(list, { method: 'POST', body: JSON.stringify(body) });
    iids.push(iid);
    while ((await request(`${list}/${iid}`)).merge_status !== 'can_be_merged') await pause(20);
  }
  return iids;
}
