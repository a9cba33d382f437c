import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitBranches } from '../../../schema/ports/git/branches.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { readOutput } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';

const maxCachedResults = 50_000;
const maxConcurrent = 8;
const timeLimitMs = 60_000;

/** Tells which commits are behind another one. */
export function mergedReader(storages: Storages): GitBranches {
  // named by contents, so nothing in it can become wrong; of one repository, for it says what is in it
  const results = new LRUCache<string, boolean>({ max: maxCachedResults });
  const walking = sharedWork<ReadonlySet<string>>();
  const turn = pLimit(maxConcurrent);

  const merged = async (
    repository: RepositoryAddress,
    tip: string,
    ids: readonly string[],
    signal?: AbortSignal | null,
  ) => {
    const folder = repositoryFolder(storages, repository);
    if (![tip, ...ids].every(isSha)) throw new Error('Malformed commit id');
    const keyOf = (id: string) => `${folder}:${tip}:${id}`;
    const found = new Set<string>();
    const unknown = new Set<string>();
    for (const id of ids) {
      const verdict = id === tip || results.get(keyOf(id));
      if (verdict) found.add(id);
      else if (verdict === undefined) unknown.add(id);
    }
    if (unknown.size === 0) return found;
    const asked = [...unknown];
    const outside = await walking([folder, tip, ...asked].join(':'), signal, (shared) =>
      turn(() => unmerged(folder, tip, asked, shared)),
    );
    for (const id of asked) {
      results.set(keyOf(id), !outside.has(id));
      if (!outside.has(id)) found.add(id);
    }
    return found;
  };

  return { merged };
}

/** Those of `ids` that `tip` has not behind it: git lists all such commits, and stops at the last of them. */
async function unmerged(
  folder: string,
  tip: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const wanted = new Set(ids);
  const outside = new Set<string>();
  let rest = '';
  const end = await readOutput([`--git-dir=${folder}`, 'rev-list', '--stdin'], {
    signal,
    input: `^${tip}\n${ids.join('\n')}\n`,
    timeLimitMs,
    onChunk: (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (wanted.has(line)) outside.add(line);
      return outside.size < wanted.size;
    },
  });
  if (end === 'late') throw new GitFailure('rev-list', 'took too long');
  return outside;
}
