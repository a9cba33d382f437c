import { rulesOf } from '../branches/protection.ts';
import { writerOf } from '../commits/create.ts';
import { unauthenticated } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { tipOf } from '../merge-requests/branches.ts';
import { isMergeable } from '../merge-requests/check.ts';
import { findMergeRequest, type MergeRequestWithProjects } from '../merge-requests/find.ts';
import { canMergeInto } from '../merge-requests/policy.ts';
import { isWorkInProgress } from '../merge-requests/title.ts';
import { commitStatusOf } from '../pipelines/commit-fields.ts';
import { type AcceptedMerge, isAccepted, mergeLater, setAutomaticMerge } from './accepted-merge.ts';
import { followHead, keptHead } from './follow-source.ts';
import type { MergeInput } from './input.ts';
import { type Mergeable, type Merging, mergeBranch } from './merge-branch.ts';
import { conflicting, notMergeable, otherHead } from './refusals.ts';
import { isAbandoned, settleMerge } from './settle-merge.ts';
import { hasUnresolved } from './unresolved.ts';

/**
 * Merges by a merge commit in the viewer's name, and gives the id. Throws, in this order: no
 * permission (401 in v4), not mergeable, conflicts, unexpected head (v4-behaviour 3.4). Of several
 * concurrent calls one merges; after a concurrent push to the target the merge is computed again.
 * With `accepted`, an automatic merge: also not mergeable unless all is as it was accepted.
 */
export async function acceptMergeRequest(
  ref: string,
  iid: number,
  options: typeof MergeInput.$inferInput & { readonly accepted?: AcceptedMerge },
  ctx: Merging,
): Promise<number> {
  const viewer = signedIn(ctx);
  const mergeRequest = await findCurrent(ref, iid, viewer, ctx);
  const { accepted } = options;
  if (accepted && !isAccepted(mergeRequest, accepted)) throw notMergeable();
  // computed concurrently, checked in order
  const [mayMerge, isWaiting, writer, mergeable, isDiscussed] = await Promise.all([
    mayMergeInto(mergeRequest, ctx),
    options.mergeWhenPipelineSucceeds === true && hasRunningPipeline(mergeRequest, ctx),
    writerOf(ctx),
    mergeableOf(mergeRequest, ctx),
    mergeRequest.project.onlyAllowMergeIfAllDiscussionsAreResolved &&
      hasUnresolved(ctx.db, mergeRequest.id),
  ]);
  if (!mayMerge) throw unauthenticated();
  if (mergeable === null || isDiscussed) throw notMergeable();
  if (!isWaiting && !(await hasSucceeded(mergeable, ctx))) throw notMergeable();
  if (isWaiting || (options.sha && options.sha !== mergeable.sha)) {
    await refuseConflict(mergeable, ctx);
    if (options.sha && options.sha !== mergeable.sha) throw otherHead(mergeable.sha);
    await setAutomaticMerge(mergeable, viewer, options, ctx);
    // it may have succeeded before the automatic merge was stored
    if (!(await hasRunningPipeline(mergeable, ctx))) await mergeLater(mergeable, ctx);
    return mergeRequest.id;
  }
  const isAutomatic = accepted !== undefined;
  await mergeBranch(mergeable, viewer, { writer, isAutomatic, ...options }, ctx);
  return mergeRequest.id;
}

/**
 * The current state: settles an interrupted merge, and stores the last push to the source branch.
 */
export async function findCurrent(ref: string, iid: number, viewer: Viewer, ctx: Merging) {
  const mergeRequest = await findMergeRequest(ref, iid, ctx);
  if (mergeRequest.state === 'locked')
    await settleMerge(mergeRequest.id, ctx, isAbandoned(mergeRequest));
  else if (await isFollowed(mergeRequest, ctx)) return mergeRequest;
  await followHead(mergeRequest.id, viewer.id, ctx);
  return findMergeRequest(ref, iid, ctx);
}

async function isFollowed(
  { project, sourceProject, sourceBranch, iid, sha }: MergeRequestWithProjects,
  ctx: Merging,
): Promise<boolean> {
  const tip = sourceProject && (await tipOf(sourceProject, sourceBranch, ctx));
  return tip === null || (tip === sha && (await keptHead(project, iid, ctx)) === sha);
}

export async function mayMergeInto(
  { project, targetBranch, level }: MergeRequestWithProjects,
  ctx: Pick<Merging, 'db'>,
): Promise<boolean> {
  return canMergeInto(targetBranch, level, project, await rulesOf(project.id, ctx));
}

/** The status of the head commit's pipeline in the source project. */
const pipelineStatus = async (
  { sha, sourceProjectId, projectId }: MergeRequestWithProjects,
  ctx: Merging,
) => (sha === null ? null : commitStatusOf(sourceProjectId ?? projectId, sha, ctx));

async function hasRunningPipeline(
  mergeRequest: MergeRequestWithProjects,
  ctx: Merging,
): Promise<boolean> {
  const status = await pipelineStatus(mergeRequest, ctx);
  return status === 'pending' || status === 'running';
}

/** Null unless it is open, no draft, has both branches, and adds commits. */
async function mergeableOf(
  mergeRequest: MergeRequestWithProjects,
  ctx: Merging,
): Promise<Mergeable | null> {
  const { sha, project, sourceProject, sourceBranch } = mergeRequest;
  if (mergeRequest.state !== 'opened' || isWorkInProgress(mergeRequest.title)) return null;
  if (sha === null || sourceProject === null) return null;
  const [source, target, head] = await Promise.all([
    tipOf(sourceProject, sourceBranch, ctx),
    tipOf(project, mergeRequest.targetBranch, ctx),
    ctx.git.commitBehind(project, sha),
  ]);
  if (source === null || target === null || head === null) return null;
  const base = await ctx.git.mergeBase(project, { target, head: sha });
  return base === sha ? null : { ...mergeRequest, sha };
}

/** Whether the pipeline that the project requires has succeeded, or the commit skips CI. */
async function hasSucceeded(mergeRequest: Mergeable, ctx: Merging): Promise<boolean> {
  if (!mergeRequest.project.onlyAllowMergeIfPipelineSucceeds) return true;
  const status = await pipelineStatus(mergeRequest, ctx);
  return status === 'success' || status === 'skipped';
}

async function refuseConflict(
  { project, targetBranch, sha }: Mergeable,
  ctx: Merging,
): Promise<void> {
  const tip = await tipOf(project, targetBranch, ctx);
  if (!(await isMergeable(project, { tip, sha }, ctx, ctx.request.signal))) throw conflicting();
}
