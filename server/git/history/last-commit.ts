import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSafePath, isSha } from '../names.ts';
import { readText } from '../process/output.ts';
import { sharedWork } from '../process/shared-work.ts';
import { type LastCommits, walkLastCommits } from './last-commit-walk.ts';

const maxCachedBytes = 8 * 1024 * 1024;
const maxDistant = 10_000;
const maxConcurrent = 8;
/** Of walks for many paths. */
const maxConcurrentWalks = 4;
const timeLimitMs = 60_000;
/** How long a path is not searched again after the time of a walk ran out: the machine may have been busy. */
const lateForMs = 60_000;

/**
 * Finds the last commits that changed paths. The cache is keyed by object ids, so entries never
 * become stale.
 */
export function lastCommitReader(storages: Storages) {
  const cache = new LRUCache<string, { readonly id: string | null }>({
    maxSize: maxCachedBytes,
    sizeCalculation: (_commit, key) => key.length + 128,
  });

  const turn = turnsOf('last-commit', maxConcurrent);

  const keyOf = ({ storage, diskPath }: RepositoryAddress, sha: string, path: string) =>
    `${storage}:${diskPath}:${sha}:${path}`;

  const searching = sharedWork<string | null>();

  const lastCommitOf = async (
    repository: RepositoryAddress,
    sha: string,
    path: string,
    signal: AbortSignal | null = null,
  ): Promise<string | null> => {
    if (!isSha(sha) || path === '' || !isSafePath(path)) return null;
    const key = keyOf(repository, sha, path);
    const cached = cache.get(key);
    if (cached) return cached.id;
    const folder = repositoryFolder(storages, repository);
    const args = [`--git-dir=${folder}`, '--literal-pathspecs', 'rev-list', '--max-count=1', sha];
    return searching(key, signal, async (shared) => {
      const { end, text } = await turn(
        () => readText([...args, '--', path], { signal: shared, timeLimitMs }),
        { project: folder, signal: shared },
      );
      // null on a timeout
      if (end !== 'whole') return null;
      const id = text.trim();
      cache.set(key, { id: isSha(id) ? id : null });
      return isSha(id) ? id : null;
    });
  };

  /** Paths that a walk did not find, within its bound or its time: they would be walked to again each time. */
  const distant = new LRUCache<string, true>({ max: maxDistant });
  const walking = sharedWork<LastCommits>();
  const walkTurn = turnsOf('last-commits', maxConcurrentWalks);

  const lastCommitsOf = async (
    repository: RepositoryAddress,
    sha: string,
    paths: readonly string[],
    signal: AbortSignal | null = null,
  ): Promise<ReadonlyMap<string, string>> => {
    const ids = new Map<string, string>();
    if (!isSha(sha)) return ids;
    const unknown: string[] = [];
    for (const path of paths) {
      const key = keyOf(repository, sha, path);
      const cached = cache.get(key);
      if (cached?.id) ids.set(path, cached.id);
      else if (!cached && path !== '' && isSafePath(path) && !distant.get(key)) unknown.push(path);
    }
    if (unknown.length === 0) return ids;
    const folder = repositoryFolder(storages, repository);
    const { commits, isWhole } = await walking(
      keyOf(repository, sha, unknown.join('\0')),
      signal,
      (shared) =>
        walkTurn(() => walkLastCommits(folder, sha, unknown, shared), {
          project: folder,
          signal: shared,
        }),
    );
    for (const path of unknown) {
      const key = keyOf(repository, sha, path);
      const id = commits.get(path);
      if (id) {
        ids.set(path, id);
        cache.set(key, { id });
      } else distant.set(key, true, isWhole ? {} : { ttl: lateForMs });
    }
    return ids;
  };

  return { lastCommitOf, lastCommitsOf };
}
