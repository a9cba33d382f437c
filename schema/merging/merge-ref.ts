import type { Context } from '../kernel/context.ts';
import { rejected } from '../kernel/errors.ts';
import { tipOf } from '../merge-requests/branches.ts';
import { isMergeable, readTimeout } from '../merge-requests/check.ts';
import { findMergeRequest, type MergeRequestWithProjects } from '../merge-requests/find.ts';
import type { CommitRecord } from '../ports/git/history.ts';
import type { MergeSides } from '../ports/git/merging.ts';
import type { Writer } from '../ports/git/writing.ts';
import { messageOf } from './merge-branch.ts';

type Parts = Pick<Context, 'baseUrl' | 'db' | 'git' | 'request' | 'viewer'>;

/** The same texts as v4's. */
const texts = {
  notMergeable: 'Merge request is not mergeable',
  notUpdated: 'Merge ref cannot be updated',
} as const;

/**
 * The commit that a merge of the present branches would write, kept by
 * `refs/merge-requests/<iid>/merge`, and its project. Neither branch moves. Repeated calls give the
 * same commit until a branch moves. The reference needs no entry in the ledger: the next call
 * writes a lost one again.
 */
export async function updateMergeRef(ref: string, iid: number, ctx: Parts) {
  const mergeRequest = await findMergeRequest(ref, iid, ctx);
  const { project } = mergeRequest;
  const late = AbortSignal.timeout(readTimeout);
  const signal = ctx.request.signal ? AbortSignal.any([late, ctx.request.signal]) : late;
  try {
    const sides = await mergeableSides(mergeRequest, signal, ctx);
    if (sides === null) throw rejected(texts.notMergeable);
    const kept = await keptMerge(mergeRequest, sides, ctx);
    if (kept) return { commit: kept, repository: project };
    const commit = await writeMergeRef(mergeRequest, sides, signal, ctx);
    if (commit === null) throw rejected(texts.notUpdated);
    return { commit, repository: project };
  } catch (error) {
    if (late.aborted) throw rejected(texts.notUpdated);
    throw error;
  }
}

/** The tips of both branches; null unless they can be merged. */
async function mergeableSides(
  { state, project, sourceProject, sourceBranch, targetBranch }: MergeRequestWithProjects,
  signal: AbortSignal,
  { git }: Pick<Context, 'git'>,
): Promise<MergeSides | null> {
  if (state !== 'opened' || sourceProject === null) return null;
  const [head, target] = await Promise.all([
    tipOf(sourceProject, sourceBranch, { git }),
    tipOf(project, targetBranch, { git }),
  ]);
  if (head === null || target === null) return null;
  const isThere =
    (await git.commitBehind(project, head)) !== null ||
    (await git.bringCommit(project, { sha: head, source: sourceProject }, signal));
  if (!isThere || !(await isMergeable(project, { tip: target, sha: head }, { git }, signal)))
    return null;
  return { target, head };
}

/** The kept merge, if it is of these commits. */
async function keptMerge(
  { project, iid }: MergeRequestWithProjects,
  { target, head }: MergeSides,
  { git }: Pick<Context, 'git'>,
): Promise<CommitRecord | null> {
  const ref = `refs/merge-requests/${iid}/merge`;
  const sha = (await git.readRefs(project, [ref])).get(ref);
  const commit = sha === undefined ? null : await git.commitBehind(project, sha);
  const isCurrent = commit?.parentIds[0] === target && commit.parentIds[1] === head;
  return isCurrent ? commit : null;
}

async function writeMergeRef(
  mergeRequest: MergeRequestWithProjects,
  sides: MergeSides,
  signal: AbortSignal,
  ctx: Parts,
): Promise<CommitRecord | null> {
  const { project, iid } = mergeRequest;
  const merge = {
    ...sides,
    message: messageOf(mergeRequest),
    writer: await writer(mergeRequest, ctx),
  };
  const sha = await ctx.git.writeMerge(project, merge, signal);
  if (sha === null) return null;
  await ctx.git.keepMerge(project, { number: iid, sha });
  return ctx.git.commitBehind(project, sha);
}

/** The author of the merge request, so that the commit does not depend on the caller. */
async function writer(
  { authorId }: MergeRequestWithProjects,
  { db, baseUrl }: Parts,
): Promise<Writer> {
  const select = { name: true, email: true };
  const author =
    authorId === null ? null : await db.user.findUnique({ where: { id: authorId }, select });
  return author ?? { name: 'Deleted user', email: `noreply@${new URL(baseUrl).hostname}` };
}
