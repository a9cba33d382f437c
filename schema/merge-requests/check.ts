import type { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { writeInPassing } from '../kernel/outage.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { tipOf } from './branches.ts';

/** The columns of a merge request that decide whether it can be merged. */
export type Checkable = Pick<
  Prisma.MergeRequestGetPayload<object>,
  'id' | 'state' | 'sha' | 'targetBranch' | 'mergeStatus' | 'checkedAgainst'
>;

type Parts = Pick<Context, 'db' | 'git'>;

/** How long, in milliseconds, a read waits for git. */
export const readTimeout = 10_000;

/**
 * Whether git can merge the commit into the branch without conflicts, and the merge would add
 * commits.
 */
export async function isMergeable(
  repository: RepositoryAddress,
  { tip, sha }: { readonly tip: string | null; readonly sha: string | null },
  { git }: Pick<Context, 'git'>,
  signal?: AbortSignal | null,
): Promise<boolean> {
  if (tip === null || sha === null) return false;
  const sides = { target: tip, head: sha };
  if ((await git.mergeBase(repository, sides, signal)) === sha) return false;
  return git.canMerge(repository, sides, signal);
}

/**
 * A merge request with an up-to-date `mergeStatus`: recomputed and stored if its target branch has
 * moved since the last check; `unchecked` if that takes too long. Merge requests that are not open
 * stay unchanged.
 */
export async function withMergeStatus<Row extends Checkable>(
  mergeRequest: Row,
  repository: RepositoryAddress,
  { db, git }: Parts,
  signal?: AbortSignal | null,
): Promise<Row> {
  const { id, sha, state } = mergeRequest;
  if (state !== 'opened') return mergeRequest;
  const tip = await tipOf(repository, mergeRequest.targetBranch, { git });
  if (mergeRequest.mergeStatus !== 'unchecked' && mergeRequest.checkedAgainst === tip)
    return mergeRequest;
  // the commit of a new merge request from a fork is not in the target's repository yet
  if (sha !== null && (await git.commitBehind(repository, sha)) === null) return mergeRequest;
  const late = AbortSignal.timeout(readTimeout);
  const until = signal ? AbortSignal.any([late, signal]) : late;
  try {
    const mergeStatus = (await isMergeable(repository, { tip, sha }, { git }, until))
      ? ('can_be_merged' as const)
      : ('cannot_be_merged' as const);
    // by SQL, so that `updated_at` does not change
    await writeInPassing(
      () => db.$executeRaw`
        UPDATE merge_requests
        SET merge_status = ${mergeStatus}::merge_status, checked_against = ${tip}
        WHERE id = ${id} AND state = 'opened' AND sha IS NOT DISTINCT FROM ${sha}`,
    );
    return { ...mergeRequest, mergeStatus, checkedAgainst: tip };
  } catch (error) {
    if (!late.aborted) throw error;
    return { ...mergeRequest, mergeStatus: 'unchecked' };
  }
}
