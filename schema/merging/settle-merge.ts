import { branchRef } from '../branches/find.ts';
import { protectionOf } from '../branches/policy.ts';
import type { Context } from '../kernel/context.ts';
import { noObject } from '../kernel/no-object.ts';
import { transact } from '../kernel/storage-errors.ts';
import { tipOf } from '../merge-requests/branches.ts';
import { headForHooks, type Places } from '../merge-requests/hook-payload.ts';
import { notifyMergeRequestChange } from '../merge-requests/notify.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { changeRefs } from '../repository/change-refs.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { closeNamed } from './close-named.ts';

export type MergeParts = Pick<Context, 'db' | 'git' | 'jobs' | 'settings' | 'baseUrl'>;

interface Place extends RepositoryAddress {
  readonly id: number;
}

/** How a merge request came to be merged. */
export interface Merge {
  readonly id: number;
  /** Null for somebody who is gone. */
  readonly byId: number | null;
  /** What was merged. */
  readonly sha: string;
  /** The commit that merged it; null when a push brought what it offers. */
  readonly mergeCommitSha: string | null;
  /** Where the branches parted. */
  readonly baseSha: string | null;
  readonly places: Places;
}

/**
 * Writes down that a merge request is merged, with all that follows from it, in one transaction: the
 * note, the event, what hooks are told, the issues it closes. False when it was done already, or is
 * not so any more: whoever asks may ask twice.
 */
export async function recordMerge(
  { id, byId, sha, mergeCommitSha, baseSha, places }: Merge,
  parts: MergeParts,
): Promise<boolean> {
  const head = await headForHooks(sha, places, parts);
  return transact(parts.db, async (tx) => {
    const { count } = await tx.mergeRequest.updateMany({
      where: {
        id,
        sha,
        ...(mergeCommitSha === null
          ? { state: 'opened' as const }
          : { state: 'locked' as const, mergeCommitSha }),
      },
      data: {
        state: 'merged',
        mergedAt: new Date(),
        mergedById: byId,
        baseSha,
        mergesWhenPipelineSucceeds: false,
        ...(mergeCommitSha !== null && { mergeStatus: 'can_be_merged' as const }),
      },
    });
    if (count === 0) return false;
    await recordSystemNotes(tx, { mergeRequestId: id }, byId, ['merged']);
    await closeNamed(tx, id, byId, parts);
    await notifyMergeRequestChange(tx, { id, action: 'merge', userId: byId, head }, parts);
    return true;
  });
}

/**
 * Merge requests that are being merged, or were when their process was killed: those whose target
 * branch has the merge are finished, the others become open again if `isOver` says that nobody is at
 * it any more.
 */
export async function settleMerge(id: number, parts: MergeParts, isOver: boolean): Promise<void> {
  const { db, git } = parts;
  const found = await db.mergeRequest.findUnique({
    relationLoadStrategy: 'join',
    where: { id },
    include: {
      project: { select: { id: true, storage: true, diskPath: true, isRemoved: true } },
      sourceProject: { where: { isRemoved: false }, select: { storage: true, diskPath: true } },
    },
  });
  if (found?.state !== 'locked' || found.mergeCommitSha === null || !found.sha) return;
  const { project, targetBranch, mergeCommitSha } = found;
  if (project.isRemoved) return;
  const tip = await tipOf(project, targetBranch, { git });
  const isThere = tip !== null && (await git.merged(project, tip, [mergeCommitSha])).size > 0;
  if (isThere) return finishMerge(found, project, parts);
  if (isOver) await unlock(id, mergeCommitSha, parts);
}

interface Locked {
  readonly id: number;
  readonly sha: string | null;
  readonly mergeCommitSha: string | null;
  readonly mergedById: number | null;
  readonly authorId: number | null;
  readonly removesSourceBranch: boolean;
  readonly shouldRemoveSourceBranch: boolean | null;
  readonly sourceProjectId: number | null;
  readonly sourceProject: RepositoryAddress | null;
  readonly sourceBranch: string;
}

/** What is done once the target branch has the merge. */
async function finishMerge(locked: Locked, project: Place, parts: MergeParts): Promise<void> {
  const { id, sha, mergeCommitSha, mergedById: byId } = locked;
  if (sha === null || mergeCommitSha === null) return;
  const merge = await parts.git.commitBehind(project, mergeCommitSha);
  const before = merge?.parentIds[0];
  const baseSha = before ? await parts.git.mergeBase(project, { target: before, head: sha }) : null;
  const places = { project, sourceProject: locked.sourceProject };
  const isFirst = await recordMerge({ id, byId, sha, mergeCommitSha, baseSha, places }, parts);
  if (isFirst) await removeUnwanted(locked, byId, parts);
}

type Unwanted = Pick<
  Locked,
  | 'authorId'
  | 'removesSourceBranch'
  | 'shouldRemoveSourceBranch'
  | 'sha'
  | 'sourceBranch'
  | 'sourceProjectId'
>;

/** Removes the source branch if the author wished it, by what the author may, or who merged asked it. */
export async function removeUnwanted(
  unwanted: Unwanted,
  byId: number | null,
  parts: MergeParts,
): Promise<void> {
  if (unwanted.removesSourceBranch) await removeSource(unwanted, unwanted.authorId, parts);
  if (unwanted.shouldRemoveSourceBranch) await removeSource(unwanted, byId, parts);
}

/** It was not merged after all. */
export async function unlock(
  id: number,
  mergeCommitSha: string,
  { db }: Pick<Context, 'db'>,
): Promise<void> {
  await db.mergeRequest.updateMany({
    where: { id, state: 'locked', mergeCommitSha },
    data: {
      state: 'opened',
      mergeCommitSha: null,
      mergedById: null,
      shouldRemoveSourceBranch: null,
    },
  });
}

/** Older than this, nobody is at it any more. */
const overAfter = 60_000;

const pageSize = 1000;

/**
 * Enqueues a job for each merge that may have been cut off; runs at a start and now and then. Those
 * whose job was given up are left out, until that is retried by hand.
 */
export async function enqueueSettlements({
  db,
  jobs,
}: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  for (let last = 0, isFull = true; isFull; ) {
    const page = await db.mergeRequest.findMany({
      where: {
        id: { gt: last },
        state: 'locked',
        project: { isRemoved: false },
        deadLetters: { none: { kind: 'settle-merge' } },
      },
      select: { id: true, projectId: true },
      orderBy: { id: 'asc' },
      take: pageSize,
    });
    const payloads = page.map(({ id, projectId }) => ({ mergeRequestId: id, projectId }));
    await db.$transaction((tx) => jobs.enqueueAll('settle-merge', payloads, tx));
    last = page.at(-1)?.id ?? last;
    isFull = page.length === pageSize;
  }
}

/** What the job of a merge that may have been cut off does. */
export async function settleLockedMerge(id: number, parts: MergeParts): Promise<void> {
  const mergeRequest = await parts.db.mergeRequest.findUnique({
    where: { id },
    select: { updatedAt: true },
  });
  if (mergeRequest) await settleMerge(id, parts, isAbandoned(mergeRequest));
}

/** Whether a merge that was begun at `updatedAt` is in nobody's hands any more. */
export const isAbandoned = ({ updatedAt }: { readonly updatedAt: Date }): boolean =>
  updatedAt.getTime() < Date.now() - overAfter;

/**
 * Removes the branch that was merged, by the rights of `userId`: not the default one, not a protected
 * one, and not with commits that were not merged. Whatever forbids it, it stays.
 */
async function removeSource(
  { sourceProjectId, sourceBranch, sha }: Pick<Locked, 'sourceProjectId' | 'sourceBranch' | 'sha'>,
  userId: number | null,
  parts: MergeParts,
): Promise<void> {
  if (sourceProjectId === null || userId === null || sha === null) return;
  const source = await parts.db.project.findFirst({
    where: { id: sourceProjectId, isRemoved: false },
    select: { id: true, storage: true, diskPath: true, protectedBranches: true },
  });
  if (!source) return;
  if (protectionOf(sourceBranch, source.protectedBranches).isProtected) return;
  const removal = { ref: branchRef(sourceBranch), before: sha, after: noObject };
  await changeRefs(source, [removal], { ...parts, viewer: { id: userId } });
}
