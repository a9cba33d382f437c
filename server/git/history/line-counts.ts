import { LRUCache } from 'lru-cache';
import type { GitLog, LineCounts } from '../../../schema/ports/git/log.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { comparingEnvironment } from '../process/environment.ts';
import { readText } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { sharedWork } from '../process/shared-work.ts';
import { emptyTreeId } from './diff.ts';

const maxCachedCounts = 50_000;
const maxConcurrent = 4;
const timeLimitMs = 10_000;

/** Counts the lines changed between two commits; binary files count no lines. */
export function lineCounter(storages: Storages): GitLog['lineCounts'] {
  // keyed by object ids, so entries never become stale
  const cache = new LRUCache<string, LineCounts>({ max: maxCachedCounts });
  const counting = sharedWork<LineCounts | null>();
  const turn = turnsOf('line-counts', maxConcurrent);

  return async (repository, { from, to }, signal) => {
    const before = from ?? emptyTreeId;
    if (!isSha(before) || !isSha(to)) throw new GitFailure('diff-tree', 'malformed id');
    const folder = repositoryFolder(storages, repository);
    const key = `${folder}:${before}:${to}`;
    const cached = cache.get(key);
    if (cached) return cached;
    return counting(key, signal, async (shared) => {
      const options = ['-r', '-M', '--shortstat', '--no-ext-diff', '--no-textconv'];
      const { end, text } = await turn(
        () =>
          readText([`--git-dir=${folder}`, 'diff-tree', ...options, before, to, '--'], {
            environment: comparingEnvironment,
            signal: shared,
            timeLimitMs,
          }),
        { project: folder },
      );
      if (end !== 'whole') return null;
      const counts = {
        additions: countOf(text, 'insertion'),
        deletions: countOf(text, 'deletion'),
      };
      cache.set(key, counts);
      return counts;
    });
  };
}

/** ` 2 files changed, 3 insertions(+), 1 deletion(-)`; zero counts are omitted. */
const countOf = (text: string, what: string): number =>
  Number(new RegExp(`(\\d+) ${what}`).exec(text)?.[1] ?? 0);
