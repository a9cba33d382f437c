import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { GitLog, LineCounts } from '../../../schema/ports/git/log.ts';
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

/** Counts the lines that changed between two commits; of binary files there are none. */
export function lineCounter(storages: Storages): GitLog['lineCounts'] {
  // named by contents, so nothing in it can become wrong
  const known = new LRUCache<string, LineCounts>({ max: maxCachedCounts });
  const counting = sharedWork<LineCounts | null>();
  const turn = pLimit(maxConcurrent);

  return async (repository, { from, to }, signal) => {
    const before = from ?? emptyTreeId;
    if (!isSha(before) || !isSha(to)) throw new GitFailure('diff-tree', 'malformed id');
    const folder = repositoryFolder(storages, repository);
    const key = `${folder}:${before}:${to}`;
    const found = known.get(key);
    if (found) return found;
    return counting(key, signal, async (shared) => {
      const options = ['-r', '-M', '--shortstat', '--no-ext-diff', '--no-textconv'];
      const { end, text } = await turn(() =>
        readText([`--git-dir=${folder}`, 'diff-tree', ...options, before, to, '--'], {
          environment: comparingEnvironment,
          signal: shared,
          timeLimitMs,
        }),
      );
      if (end !== 'whole') return null;
      const counts = {
        additions: countOf(text, 'insertion'),
        deletions: countOf(text, 'deletion'),
      };
      known.set(key, counts);
      return counts;
    });
  };
}

/** ` 2 files changed, 3 insertions(+), 1 deletion(-)`; what is 0 is left out. */
const countOf = (text: string, what: string): number =>
  Number(new RegExp(`(\\d+) ${what}`).exec(text)?.[1] ?? 0);
