import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../schema/ports/git.ts';
import type { GitBranches } from '../../schema/ports/git-branches.ts';
import { repositoryFolder, type Storages } from './address.ts';
import { startGit } from './child.ts';
import { isSha } from './names.ts';
import { GitFailure } from './run.ts';

const MOST_VERDICTS = 50_000;
const LONGEST_MS = 60_000;

/** Tells which commits are behind another one. */
export function mergedReader(storages: Storages): GitBranches {
  // named by contents, so nothing in it can become wrong; of one repository, for it says what is in it
  const verdicts = new LRUCache<string, boolean>({ max: MOST_VERDICTS });
  /** Many who ask the same at once wait for one process. */
  const walks = new Map<string, Promise<ReadonlySet<string>>>();

  const walk = (folder: string, tip: string, ids: readonly string[]) => {
    const key = [folder, tip, ...ids].join(':');
    const known = walks.get(key);
    if (known) return known;
    const begun = unmerged(folder, tip, ids).finally(() => walks.delete(key));
    walks.set(key, begun);
    return begun;
  };

  const merged = async (repository: RepositoryAddress, tip: string, ids: readonly string[]) => {
    const folder = repositoryFolder(storages, repository);
    if (![tip, ...ids].every(isSha)) throw new Error('Malformed commit id');
    const keyOf = (id: string) => `${folder}:${tip}:${id}`;
    const found = new Set<string>();
    const unknown = new Set<string>();
    for (const id of ids) {
      const verdict = id === tip || verdicts.get(keyOf(id));
      if (verdict) found.add(id);
      else if (verdict === undefined) unknown.add(id);
    }
    if (unknown.size === 0) return found;
    const outside = await walk(folder, tip, [...unknown]);
    for (const id of unknown) {
      verdicts.set(keyOf(id), !outside.has(id));
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
): Promise<ReadonlySet<string>> {
  const child = startGit([`--git-dir=${folder}`, 'rev-list', '--stdin'], {
    signal: AbortSignal.timeout(LONGEST_MS),
  });
  child.stdin.end(`^${tip}\n${ids.join('\n')}\n`);
  const wanted = new Set(ids);
  const outside = new Set<string>();
  let cut = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    const lines = (cut + chunk.toString('latin1')).split('\n');
    cut = lines.pop() ?? '';
    for (const line of lines) if (wanted.has(line)) outside.add(line);
    if (outside.size < wanted.size) continue;
    child.stop();
    return outside;
  }
  if ((await child.exit) !== 0) {
    throw new GitFailure('rev-list', child.complaint() || 'was ended');
  }
  return outside;
}
