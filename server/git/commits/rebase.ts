import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { GitCommitWriting, Rebase } from '../../../schema/ports/git/commit-writing.ts';
import { turnsOf } from '../../scheduling/heavy-work.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { isSha } from '../names.ts';
import { listCommits } from '../process/output.ts';
import type { ApplyCommit } from './cherry-pick.ts';

/** Each commit costs a few processes. */
const mostCommits = 500;
const maxConcurrent = 2;
const listTimeLimitMs = 60_000;
const timeLimitMs = 300_000;

/**
 * The commits that git rebases by default: without merges, and without those whose change the new
 * base has already. Commits that change nothing on the new base are dropped.
 */
const selection = ['--topo-order', '--no-merges', '--right-only', '--cherry-pick'];

/** Rebases commits without a work tree, as a series of cherry-picks. */
export function rebaser(
  storages: Storages,
  applyCommit: ApplyCommit,
): Pick<GitCommitWriting, 'rebaseCommits'> {
  const turn = turnsOf('rebases', maxConcurrent);

  const rebase = async (
    repository: RepositoryAddress,
    { head, onto, committer }: Rebase,
    signal: AbortSignal,
  ): ReturnType<GitCommitWriting['rebaseCommits']> => {
    if (!isSha(head) || !isSha(onto)) throw new Error('Malformed commit id');
    const folder = repositoryFolder(storages, repository);
    const range = { folder, limit: mostCommits, timeLimitMs: listTimeLimitMs, signal };
    const { ids, isCut } = await turn(
      () => listCommits([...selection, `${onto}...${head}`], range),
      { project: folder, signal },
    );
    if (isCut) return { fault: 'too many' };
    let tip = onto;
    for (const commit of ids.toReversed()) {
      signal.throwIfAborted();
      const applied = await applyCommit(repository, { commit, onto: tip, committer }, signal);
      if ('id' in applied) tip = applied.id;
      else if (applied.fault === 'conflict') return { fault: 'conflict' };
    }
    return { id: tip };
  };

  const rebaseCommits: GitCommitWriting['rebaseCommits'] = async (repository, commits, signal) => {
    const late = AbortSignal.timeout(timeLimitMs);
    try {
      return await rebase(repository, commits, signal ? AbortSignal.any([late, signal]) : late);
    } catch (error) {
      if (late.aborted && !signal?.aborted) return { fault: 'too many' };
      throw error;
    }
  };

  return { rebaseCommits };
}
