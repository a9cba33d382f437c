import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitBranches } from '../../../schema/ports/git/branches.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { readLines } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';

const maxCachedResults = 50_000;
const maxConcurrent = 8;
const timeLimitMs = 60_000;

/** Finds which commits are reachable from another commit. */
export function mergedReader(storages: Storages): Pick<GitBranches, 'merged'> {
  // keyed by commit ids, so entries never become stale; per repository, so as not to reveal others'
  // objects
  const results = new LRUCache<string, boolean>({ max: maxCachedResults });
  const walking = sharedWork<ReadonlySet<string>>();
  const turn = turnsOf('merged-commits', maxConcurrent);

  const merged = async (
    repository: RepositoryAddress,
    tip: string,
    ids: readonly string[],
    signal?: AbortSignal | null,
  ) => {
    const folder = repositoryFolder(storages, repository);
    if (![tip, ...ids].every(isSha)) throw new Error('Malformed commit id');
    const keyOf = (id: string) => `${folder}:${tip}:${id}`;
    const mergedIds = new Set<string>();
    const unknown = new Set<string>();
    for (const id of ids) {
      const verdict = id === tip || results.get(keyOf(id));
      if (verdict) mergedIds.add(id);
      else if (verdict === undefined) unknown.add(id);
    }
    if (unknown.size === 0) return mergedIds;
    const unknownIds = [...unknown];
    const unmergedIds = await walking([folder, tip, ...unknownIds].join(':'), signal, (shared) =>
      turn(() => unmerged(folder, tip, unknownIds, shared), { project: folder }),
    );
    for (const id of unknownIds) {
      results.set(keyOf(id), !unmergedIds.has(id));
      if (!unmergedIds.has(id)) mergedIds.add(id);
    }
    return mergedIds;
  };

  return { merged };
}

/**
 * The `ids` not reachable from `tip`: git lists all unreachable commits and is stopped after the
 * last match.
 */
async function unmerged(
  folder: string,
  tip: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const wanted = new Set(ids);
  const outside = new Set<string>();
  const end = await readLines([`--git-dir=${folder}`, 'rev-list', '--stdin'], {
    signal,
    input: `^${tip}\n${ids.join('\n')}\n`,
    timeLimitMs,
    onLines: (lines) => {
      for (const line of lines) if (wanted.has(line)) outside.add(line);
      return outside.size < wanted.size;
    },
  });
  if (end === 'late') throw new GitFailure('rev-list', 'took too long');
  return outside;
}
