import { lookupTip } from '../branches/find.ts';
import type { Context } from '../kernel/context.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { sentences } from '../system-notes/sentences.ts';
import { tipOf } from './branches.ts';
import type { MergeRequestDifference } from './differences.ts';
import type { MergeRequestWithProjects } from './find.ts';
import { noBranch } from './refusals.ts';

/** What is closed or open already is left as it is, and what is merged stays so. */
export const isMoved = (
  { state }: Pick<MergeRequestWithProjects, 'state'>,
  event: 'close' | 'reopen' | null | undefined,
): boolean =>
  (event === 'close' && state === 'opened') || (event === 'reopen' && state === 'closed');

/**
 * Closes it, and keeps where the branches parted: it shows the same changes from now on. `baseSha` is
 * found before the transaction, by `baseOf`.
 */
export const closing = (userId: number | null, baseSha: string | null): MergeRequestDifference => ({
  columns: { state: 'closed', closedAt: new Date(), closedById: userId, baseSha },
  sentences: [sentences.closed],
  hookChanges: { state: ['opened', 'closed'] },
});

/** Opens it again, with what its branch has by now. */
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

/** Where the two branches part; null when one is gone, or they have nothing in common. */
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

/** The tip of the source branch; refuses when the branch, or the fork it was in, is gone. */
export async function sourceTip(
  { sourceProject, sourceBranch }: Pick<MergeRequestWithProjects, 'sourceProject' | 'sourceBranch'>,
  ctx: Pick<Context, 'git'>,
): Promise<string> {
  const sha = sourceProject && (await tipOf(sourceProject, sourceBranch, ctx));
  if (sha === null) throw noBranch('Source', sourceBranch);
  return sha;
}
