import { setTimeout as pause } from 'node:timers/promises';
import type { Prisma } from '../../prisma/client.ts';
import { runInTurn } from '../commits/turns.ts';
import type { Context } from '../kernel/context.ts';
import { unauthenticated } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { tipOf } from '../merge-requests/branches.ts';
import type { MergeRequestWithProjects } from '../merge-requests/find.ts';
import type { MergeSides, NewMerge } from '../ports/git/merging.ts';
import { moveRefs } from '../repository/change-refs.ts';
import { followHead } from './follow-source.ts';
import { conflicting, notMergeable } from './refusals.ts';
import { type MergeParts, recordMerge, removeMergedSource, settleMerge } from './settle-merge.ts';

/** A merge request whose head commit and source project exist. */
export type Mergeable = MergeRequestWithProjects & { readonly sha: string };

/** What a merge needs; the `request` of an automatic merge is its job. */
export type Merging = MergeParts & Pick<Context, 'request' | 'viewer'>;

interface MergeOptions extends Pick<NewMerge, 'writer'> {
  /** Of the merge commit; default: v4's own. */
  readonly message?: string | null | undefined;
  readonly shouldRemoveSourceBranch?: boolean | null | undefined;
  /** Whether the viewer accepted it earlier: it is merged only while that automatic merge stands. */
  readonly isAutomatic?: boolean | undefined;
}

const mostAttempts = 20;
/** In milliseconds, random: two merges that collided do not retry at the same moment. */
const longestPause = 20;

/**
 * Merges in this order: write the merge commit, which no reference names yet; store it in the
 * record and lock the record; move the branch from its expected value; finish the record. After a
 * crash at any point, `settleMerge` decides by the branch.
 */
export async function mergeBranch(
  mergeRequest: Mergeable,
  viewer: Viewer,
  { message, shouldRemoveSourceBranch = null, isAutomatic = false, writer }: MergeOptions,
  ctx: Merging,
): Promise<void> {
  const { id, project, sha, targetBranch } = mergeRequest;
  const accepted = {
    id,
    sha,
    targetBranch,
    ...(isAutomatic && { mergesWhenPipelineSucceeds: true, mergedById: viewer.id }),
  };
  const ref = `refs/heads/${mergeRequest.targetBranch}`;
  const text = message || messageOf(mergeRequest);
  await untilMerged(`${project.id}:${ref}`, async () => {
    let lockedFor: string | null = null;
    try {
      for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
        const target = await tipOf(project, mergeRequest.targetBranch, ctx);
        if (target === null) throw notMergeable();
        const merge: NewMerge = { target, head: sha, message: text, writer };
        const commit = await ctx.git.writeMerge(project, merge, ctx.request.signal);
        if (commit === null) throw conflicting();
        const lock = { mergeCommitSha: commit, mergedById: viewer.id, shouldRemoveSourceBranch };
        if (!(await lockForMerge(accepted, lockedFor, lock, ctx))) throw notMergeable();
        lockedFor = commit;
        // pushes during the merge are not followed, and end what was accepted
        if (isAutomatic && (await sourceTipOf(mergeRequest, ctx)) !== sha) throw notMergeable();
        const change = { ref, before: target, after: commit, isMerge: true };
        const { outcome, settle } = await moveRefs(project, [change], ctx);
        if (outcome === 'moved') {
          await record(mergeRequest, merge, commit, viewer, ctx);
          return settle;
        }
        if (outcome === 'refused') throw unauthenticated();
        if (outcome === 'impossible') throw notMergeable();
        await pause(Math.random() * longestPause * attempt);
      }
      throw notMergeable();
    } catch (error) {
      // the branch may have moved before the failure
      if (lockedFor !== null) await settleMerge(id, ctx, true, false);
      // pushes to the source were ignored during the merge
      await followHead(id, viewer.id, ctx);
      throw error;
    }
  });
  await removeMergedSource({ ...mergeRequest, shouldRemoveSourceBranch }, viewer.id, ctx);
}

/**
 * Waits for `merge`, but not for the consequences of the push, which `merge` gives as a function:
 * the next push to the branch waits for them. The ledger repeats consequences that fail.
 */
function untilMerged(thing: string, merge: () => Promise<() => Promise<void>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const work = runInTurn(thing, async () => {
      const settle = await merge();
      resolve();
      await settle().catch(() => {});
    });
    work.catch(reject);
  });
}

const sourceTipOf = async ({ sourceProject, sourceBranch }: Mergeable, ctx: Merging) =>
  sourceProject && tipOf(sourceProject, sourceBranch, ctx);

async function record(
  mergeRequest: Mergeable,
  sides: MergeSides,
  commit: string,
  viewer: Viewer,
  ctx: Merging,
): Promise<void> {
  const { id, sha } = mergeRequest;
  const baseSha = await ctx.git.mergeBase(mergeRequest.project, sides);
  const merge = { id, byId: viewer.id, sha, mergeCommitSha: commit, baseSha, places: mergeRequest };
  await recordMerge(merge, ctx);
}

/**
 * Locks the record for a merge. False if it is locked already or is no longer what was accepted: it
 * has another head or target, or its automatic merge was cancelled.
 */
async function lockForMerge(
  accepted: Prisma.MergeRequestWhereInput,
  lockedFor: string | null,
  lock: Prisma.MergeRequestUncheckedUpdateManyInput,
  { db }: Pick<Context, 'db'>,
): Promise<boolean> {
  const { count } = await db.mergeRequest.updateMany({
    where: {
      ...accepted,
      ...(lockedFor === null
        ? { state: 'opened' as const }
        : { state: 'locked' as const, mergeCommitSha: lockedFor }),
    },
    data: { state: 'locked', ...lock },
  });
  return count > 0;
}

/** The same text as v4's. */
export const messageOf = ({
  sourceBranch,
  targetBranch,
  title,
  project,
  iid,
}: MergeRequestWithProjects) =>
  `Merge branch '${sourceBranch}' into '${targetBranch}'\n\n${title}\n\n` +
  `See merge request ${project.fullPath}!${iid}`;
