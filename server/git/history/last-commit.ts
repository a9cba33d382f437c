import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSafePath, isSha } from '../names.ts';
import { readText } from '../process/output.ts';

const maxCachedBytes = 8 * 1024 * 1024;
const timeLimitMs = 60_000;

/**
 * Finds the last commit that changed a path. The cache is keyed by object ids, so entries never
 * become stale.
 */
export function lastCommitReader(storages: Storages) {
  const cache = new LRUCache<string, { readonly id: string | null }>({
    maxSize: maxCachedBytes,
    sizeCalculation: (_commit, key) => key.length + 128,
  });

  const lastCommitOf = async (
    repository: RepositoryAddress,
    sha: string,
    path: string,
    signal: AbortSignal | null = null,
  ): Promise<string | null> => {
    if (!isSha(sha) || path === '' || !isSafePath(path)) return null;
    const key = `${repository.storage}:${repository.diskPath}:${sha}:${path}`;
    const cached = cache.get(key);
    if (cached) return cached.id;
    const args = [
      `--git-dir=${repositoryFolder(storages, repository)}`,
      '--literal-pathspecs',
      'rev-list',
      '--max-count=1',
      sha,
      '--',
      path,
    ];
    const { end, text } = await readText(args, { signal, timeLimitMs });
    const id = text.trim();
    // null on a timeout
    if (end !== 'whole') return null;
    cache.set(key, { id: isSha(id) ? id : null });
    return isSha(id) ? id : null;
  };

  return { lastCommitOf };
}
