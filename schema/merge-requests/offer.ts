import type { Context } from '../kernel/context.ts';
import type { ProjectRepository } from '../repository/change-refs.ts';
import { tipOf } from './branches.ts';

/** What a merge request brings, between two commits of the target's repository. */
export interface Offer {
  readonly repository: ProjectRepository;
  /** Null when it is not there. */
  readonly head: string | null;
  /** What is known there already; null when the two have nothing in common, undefined without a branch. */
  readonly base: string | null | undefined;
}

/**
 * Between which commits to look: an open one is compared with the target branch as it is, one that
 * is merged or closed with what was kept of it then, whatever became of its branches. `sha` is the
 * last commit as it is shown beside: what is stored may be a moment behind.
 */
export async function offerOf(
  { id, sha: shown }: { readonly id: number; readonly sha: string | null },
  ctx: Pick<Context, 'db' | 'git' | 'request'>,
): Promise<Offer> {
  const { project, sha, state, baseSha, targetBranch, mergeCommitSha } =
    await ctx.db.mergeRequest.findUniqueOrThrow({
      relationLoadStrategy: 'join',
      where: { id },
      select: {
        sha: true,
        state: true,
        baseSha: true,
        targetBranch: true,
        mergeCommitSha: true,
        project: { select: { id: true, storage: true, diskPath: true } },
      },
    });
  const { git } = ctx;
  const repository = project;
  const isOver = state === 'merged' || state === 'closed';
  const offered = isOver ? sha : shown;
  const head = offered && (await git.commitBehind(repository, offered)) ? offered : null;
  if (head === null) return { repository, head, base: undefined };
  if (isOver && baseSha !== null) return { repository, head, base: baseSha };
  if (state === 'merged') {
    const merge =
      mergeCommitSha === null ? null : await git.commitBehind(repository, mergeCommitSha);
    return { repository, head, base: merge?.parentIds[0] ?? null };
  }
  const tip = await tipOf(repository, targetBranch, { git });
  return { repository, head, base: tip ?? undefined };
}
