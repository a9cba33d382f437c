import type { Context } from '../kernel/context.ts';
import { notFound, rejected } from '../kernel/errors.ts';
import type { ReadableRepository } from '../repository/types.ts';
import { advanceBranch } from './advance.ts';
import { writerOf } from './create.ts';
import { errorTexts } from './refusals.ts';

/**
 * Applies a commit's changes against its first parent to a branch as a new commit, and returns its
 * id. The author stays, the viewer is the committer. Throws for a conflict or an empty result
 * (v4-behaviour 3.7).
 */
export async function cherryPick(
  project: ReadableRepository,
  { sha, branch }: { readonly sha: string; readonly branch: string },
  ctx: Context,
): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const commit = await ctx.git.resolveCommit(project, sha);
  if (commit === null) throw notFound('Commit');
  const committer = await writerOf(ctx);
  return advanceBranch(project, branch, ctx, async () => {
    const onto = (await ctx.git.readRefs(project, [ref])).get(ref);
    if (onto === undefined) throw notFound('Branch');
    const signal = ctx.request.signal ?? null;
    const picked = await ctx.git.pickCommit(project, { commit, onto, committer }, signal);
    if (picked === null) throw rejected(errorTexts.pick);
    return { before: onto, after: picked };
  });
}
