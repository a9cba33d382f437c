import { lookupTip } from '../branches/find.ts';
import type { Context } from '../kernel/context.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { sentences } from '../system-notes/sentences.ts';
import { tipOf } from './branches.ts';
import type { MergeRequestDifference } from './differences.ts';
import type { MergeRequestWithProjects } from './find.ts';
import { noBranch } from './refusals.ts';

/** Whether the event changes the state; merged merge requests stay merged. */
export const changesState = (
  { state }: Pick<MergeRequestWithProjects, 'state'>,
  event: 'close' | 'reopen' | null | undefined,
): boolean =>
  (event === 'close' && state === 'opened') || (event === 'reopen' && state === 'closed');

/**
 * Closes a merge request and stores its merge base, so that it keeps showing the same changes.
 * Compute `baseSha` with `baseOf` before the transaction.
 */
export const closing = (userId: number | null, baseSha: string | null): MergeRequestDifference => ({
  columns: { state: 'closed', closedAt: new Date(), closedById: userId, baseSha },
  sentences: [sentences.closed],
  hookChanges: { state: ['opened', 'closed'] },
});

/** Reopens a merge request with the current commit of its branch. */
export const reopening = (sha: string): MergeRequestDifference => ({
  columns: {
    state: 'opened',
    closedAt: null,
    closedById: null,
    baseSha: null,
    sha,
    mergeStatus: 'unchecked',
    checkedAgainst: null,
  },
  sentences: [sentences.reopened],
  hookChanges: { state: ['closed', 'opened'] },
});

/**
 * The merge base of the two branches; null if a branch does not exist or they have no common
 * ancestor.
 */
export async function baseOf(
  {
    project,
    targetBranch,
    sha,
  }: Pick<MergeRequestWithProjects, 'targetBranch' | 'sha'> & {
    readonly project: RepositoryAddress;
  },
  ctx: Pick<Context, 'git'>,
): Promise<string | null> {
  const target = await lookupTip(project, targetBranch, ctx);
  if (target === null || sha === null) return null;
  if ((await ctx.git.commitBehind(project, sha)) === null) return null;
  return ctx.git.mergeBase(project, { target, head: sha });
}

/** The tip of the source branch; throws if the branch or its fork does not exist. */
export async function sourceTip(
  { sourceProject, sourceBranch }: Pick<MergeRequestWithProjects, 'sourceProject' | 'sourceBranch'>,
  ctx: Pick<Context, 'git'>,
): Promise<string> {
  const sha = sourceProject && (await tipOf(sourceProject, sourceBranch, ctx));
  if (sha === null) throw noBranch('Source', sourceBranch);
  return sha;
}
