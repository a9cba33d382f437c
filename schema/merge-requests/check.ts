import type { Context } from '../kernel/context.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { tipOf } from './branches.ts';

/** What is looked at to tell whether a merge request can be merged. */
export interface Checkable {
  readonly id: number;
  readonly state: 'opened' | 'closed' | 'locked' | 'merged';
  readonly sha: string | null;
  readonly targetBranch: string;
  readonly mergeStatus: 'unchecked' | 'can_be_merged' | 'cannot_be_merged';
  readonly checkedAgainst: string | null;
}

type Parts = Pick<Context, 'db' | 'git'>;

/** Milliseconds that somebody who only looks waits for git. */
export const patience = 10_000;

/** Whether git merges a commit into a branch, and brings anything by it. */
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
 * A merge request with the `mergeStatus` it has now: found anew, and stored, when its target branch is
 * not where it was looked at last. Unchecked if that takes too long. One that is not open is as it was.
 */
export async function checked<Found extends Checkable>(
  found: Found,
  repository: RepositoryAddress,
  { db, git }: Parts,
  signal?: AbortSignal | null,
): Promise<Found> {
  const { id, sha, state } = found;
  if (state !== 'opened') return found;
  const tip = await tipOf(repository, found.targetBranch, { git });
  if (found.mergeStatus !== 'unchecked' && found.checkedAgainst === tip) return found;
  // of a fork, and made this moment: it is on its way
  if (sha !== null && (await git.commitBehind(repository, sha)) === null) return found;
  const late = AbortSignal.timeout(patience);
  const until = signal ? AbortSignal.any([late, signal]) : late;
  try {
    const mergeStatus = (await isMergeable(repository, { tip, sha }, { git }, until))
      ? ('can_be_merged' as const)
      : ('cannot_be_merged' as const);
    // in SQL of its own: to look at it is no change of it, whose `updated_at` stays
    await db.$executeRaw`
      UPDATE merge_requests
      SET merge_status = ${mergeStatus}::merge_status, checked_against = ${tip}
      WHERE id = ${id} AND state = 'opened' AND sha IS NOT DISTINCT FROM ${sha}`;
    return { ...found, mergeStatus, checkedAgainst: tip };
  } catch (error) {
    if (!late.aborted) throw error;
    return { ...found, mergeStatus: 'unchecked' };
  }
}
