import { rulesOf } from '../branches/protection.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { tipOf } from '../merge-requests/branches.ts';
import { findMergeRequest, type MergeRequestWithProjects } from '../merge-requests/find.ts';
import { canRebase, canUpdateSource } from '../merge-requests/policy.ts';
import { levelInProject, levelSelection } from '../projects/find.ts';
import { startRebase } from './rebase-state.ts';

interface RebaseOptions {
  readonly skipsCi: boolean;
}

/**
 * Starts a job that rebases the source branch onto the target branch, and gives the id. Users who
 * may push to the source branch and discard its commits; throws `conflict` if the merge request is
 * not open, or is being rebased.
 */
export async function rebaseMergeRequest(
  ref: string,
  iid: number,
  { skipsCi }: RebaseOptions,
  ctx: Context,
): Promise<number> {
  const viewer = signedIn(ctx);
  const mergeRequest = await findMergeRequest(ref, iid, ctx);
  await refuseRebase(mergeRequest, ctx);
  const { id, projectId, targetBranch } = mergeRequest;
  const startedAt = new Date();
  const isStarted = await transact(ctx.db, async (tx) => {
    if (!(await startRebase(tx, { id, startedAt }))) return false;
    const job = { mergeRequestId: id, projectId, userId: viewer.id, targetBranch, skipsCi };
    await ctx.jobs.enqueue(
      'rebase-merge-request',
      { ...job, startedAt: startedAt.toISOString() },
      tx,
    );
    return true;
  });
  if (!isStarted) throw conflict('The merge request is not open, or is already being rebased');
  return id;
}

/** Throws `forbidden` unless the viewer may rewrite the source branch. */
async function refuseRebase(
  mergeRequest: MergeRequestWithProjects,
  ctx: Pick<Context, 'db' | 'git' | 'viewer'>,
): Promise<void> {
  const why = await rebaseRefusal(mergeRequest, signedIn(ctx), ctx);
  if (why !== null) throw forbidden(why);
}

/** Why the user may not rewrite the source branch; null if they may. */
export async function rebaseRefusal(
  { sourceProjectId, sourceProject, sourceBranch }: MergeRequestWithProjects,
  viewer: Viewer,
  ctx: Pick<Context, 'db' | 'git'>,
): Promise<string | null> {
  // null unless the project exists
  const tip = sourceProject && (await tipOf(sourceProject, sourceBranch, ctx));
  if (sourceProjectId === null || tip === null) return 'Source branch does not exist';
  const [project, rules] = await Promise.all([
    ctx.db.project.findUniqueOrThrow({
      relationLoadStrategy: 'join',
      where: { id: sourceProjectId },
      select: { defaultBranch: true, ...levelSelection(viewer) },
    }),
    rulesOf(sourceProjectId, ctx),
  ]);
  const level = levelInProject(viewer, project);
  if (!canUpdateSource(sourceBranch, level, project, rules)) return 'Cannot push to source branch';
  return canRebase(sourceBranch, level, project, rules)
    ? null
    : 'Source branch is protected from force push';
}
