import type { Context } from '../kernel/context.ts';
import type { ProjectRepository } from '../repository/change-refs.ts';
import { tipOf } from './branches.ts';

/** The changes of a merge request: between two commits of the target's repository. */
export interface MergeRequestRange {
  readonly repository: ProjectRepository;
  /** Null if the commit does not exist. */
  readonly head: string | null;
  /**
   * The merge base; null if there is no common ancestor, undefined if the branch does not exist.
   */
  readonly base: string | null | undefined;
}

/**
 * The two commits whose difference a merge request shows. An open one is compared with its target
 * branch as it is now; a closed or merged one with the merge base stored then, even if its branches
 * have been deleted. `sha` is the head commit shown to the caller: the stored one may be stale.
 */
export async function rangeOf(
  { id, sha: shown }: { readonly id: number; readonly sha: string | null },
  ctx: Pick<Context, 'db' | 'git'>,
): Promise<MergeRequestRange> {
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
  const stored = isOver ? sha : shown;
  const head = stored && (await git.commitBehind(repository, stored)) ? stored : null;
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
