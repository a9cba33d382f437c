import type { Context } from '../kernel/context.ts';
import { notFound, rejected } from '../kernel/errors.ts';
import { refusalOfChanges } from '../repository/change-refs.ts';
import type { ReadableRepository } from '../repository/types.ts';
import { advanceBranch } from './advance.ts';
import { writerOf } from './create.ts';
import { findCommit } from './find.ts';
import { errorTexts } from './refusals.ts';
import { titleOf } from './types.ts';

interface Revert {
  readonly sha: string;
  readonly branch: string;
  readonly isDryRun: boolean;
}

/**
 * Undoes a commit's changes against its first parent on a branch in a new commit, and returns its id;
 * null for a dry run that found no conflict. The viewer is the author. Throws for a conflict, an empty
 * result, and a viewer who may not push to the branch.
 */
export async function revertCommit(
  project: ReadableRepository,
  { sha, branch, isDryRun }: Revert,
  ctx: Context,
): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  const commit = await findCommit(project, sha, ctx);
  const committer = await writerOf(ctx);
  const message = `Revert "${titleOf(commit.message)}"\n\nThis reverts commit ${commit.id}`;
  const write = async () => {
    const onto = (await ctx.git.readRefs(project, [ref])).get(ref);
    if (onto === undefined) throw notFound('Branch');
    const revert = { commit: commit.id, onto, committer, message };
    const after = await ctx.git.revertCommit(project, revert, ctx.request.signal ?? null);
    if (after === null) throw rejected(errorTexts.revert);
    return { before: onto, after };
  };
  if (!isDryRun) return advanceBranch(project, branch, ctx, write);
  // no reference names the commit that was written: maintenance deletes it
  const change = { ref, ...(await write()) };
  if ((await refusalOfChanges(project, [change], ctx)) !== null) throw rejected(errorTexts.push);
  return null;
}
