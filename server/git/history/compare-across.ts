import { join } from 'node:path';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { ComparedAcross, ComparisonAcross } from '../../../schema/ports/git/comparison.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { gitEnvironment } from '../process/environment.ts';
import { listCommits } from '../process/output.ts';
import { GitFailure } from '../process/run.ts';
import { maxConcurrentComparisons } from './compare.ts';
import { emptyTreeId } from './diff.ts';
import type { DiffOutput } from './diff-output.ts';
import { findMergeBase } from './merge-base.ts';

/** As in a comparison of one repository. */
const maxCommits = 5_000;
const timeLimitMs = 10_000;

/**
 * Compares a commit with one of another repository, whose objects git reads in place: nothing is
 * copied or written.
 */
export function acrossReader(storages: Storages, differences: DiffOutput) {
  const turn = turnsOf('compare', maxConcurrentComparisons);

  const compareAcross = async (
    repository: RepositoryAddress,
    { from, to, fromRepository }: ComparedAcross,
    signal?: AbortSignal | null,
  ): Promise<ComparisonAcross> => {
    if (![from, to].every(isSha)) throw new GitFailure('diff', 'malformed id');
    const folder = repositoryFolder(storages, repository);
    const objects = join(repositoryFolder(storages, fromRepository), 'objects');
    const environment = { ...gitEnvironment, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
    const findBase = async () => {
      const late = AbortSignal.timeout(timeLimitMs);
      const until = signal ? AbortSignal.any([late, signal]) : late;
      return findMergeBase(folder, [from, to], { environment, signal: until });
    };
    const ofProject = { project: folder, signal };
    const base = await turn(findBase, ofProject);
    // the merge base is an ancestor of `to`, which the repository has itself
    const revisions = [base ?? emptyTreeId, to];
    const [diffs, commits] = await Promise.all([
      differences({ folder, command: ['diff'], revisions }, signal),
      turn(
        () =>
          listCommits([to, `^${from}`], {
            ...{ folder, environment, limit: maxCommits, signal, timeLimitMs },
          }),
        ofProject,
      ),
    ]);
    const isTimedOut = commits.isCut || diffs.isTimedOut;
    return { base, commitIds: commits.ids.toReversed(), diffs, isTimedOut };
  };

  return { compareAcross };
}
