import { LRUCache } from 'lru-cache';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { Comparison } from '../../../schema/ports/git/comparison.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { listCommits } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { emptyTreeId } from './diff.ts';
import type { DiffOutput } from './diff-output.ts';
import { findMergeBase } from './merge-base.ts';

/** Only the newest commits are returned. */
const maxCommits = 5_000;
/** Of lists of commits; their diffs have turns of their own. */
export const maxConcurrentComparisons = 8;
const timeLimitMs = 10_000;
const maxCachedBytes = 8 * 1024 * 1024;
/** Overhead of a file in memory, in bytes, beside its text. */
const bytesPerFile = 600;
const bytesPerId = 56;

type Signal = AbortSignal | null | undefined;

/**
 * Compares from the merge base, as a merge would. The cache is keyed by both commits, so entries
 * never become stale.
 */
export function compareReader(storages: Storages, differences: DiffOutput) {
  const turn = turnsOf('compare', maxConcurrentComparisons);
  const cache = new LRUCache<string, Comparison>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ commitIds, diffs }) =>
      diffs.files.reduce((sum, { diff }) => sum + 2 * diff.length + bytesPerFile, 0) +
      commitIds.length * bytesPerId +
      bytesPerId,
  });

  const diffs = async (folder: string, from: string, to: string, signal: Signal) => {
    try {
      return await differences(
        { folder, command: ['diff'], revisions: [`${from}...${to}`] },
        signal,
      );
    } catch (error) {
      signal?.throwIfAborted();
      // a merge base nearly always exists: check only after git has failed
      const late = AbortSignal.timeout(timeLimitMs);
      const base = await turn(() => findMergeBase(folder, [from, to], { signal: late }), {
        project: folder,
        signal,
      });
      if (base !== null) throw error;
      return differences({ folder, command: ['diff'], revisions: [emptyTreeId, to] }, signal);
    }
  };

  const compare = async (
    repository: RepositoryAddress,
    { from, to }: { readonly from: string; readonly to: string },
    signal?: AbortSignal | null,
  ): Promise<Comparison> => {
    if (![from, to].every(isSha)) throw new GitFailure('diff', 'malformed id');
    const folder = repositoryFolder(storages, repository);
    const key = `${folder}:${from}:${to}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const failed = new AbortController();
    const either = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
    try {
      const [output, commits] = await Promise.all([
        diffs(folder, from, to, either),
        turn(
          () =>
            listCommits([to, `^${from}`], {
              folder,
              limit: maxCommits,
              signal: either,
              timeLimitMs,
            }),
          { project: folder, signal: either },
        ),
      ]);
      const isTimedOut = commits.isCut || output.isTimedOut;
      const comparison = { commitIds: commits.ids.toReversed(), diffs: output, isTimedOut };
      // a later call may finish in time
      if (!isTimedOut) cache.set(key, comparison);
      return comparison;
    } catch (error) {
      // stop the other process
      failed.abort();
      throw error;
    }
  };

  return { compare };
}
