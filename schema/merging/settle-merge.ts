import type { Prisma } from '../../prisma/client.ts';
import { branchRef } from '../branches/find.ts';
import { protectionOf } from '../branches/policy.ts';
import type { Context } from '../kernel/context.ts';
import { noObject } from '../kernel/no-object.ts';
import { transact } from '../kernel/storage-errors.ts';
import { tipOf } from '../merge-requests/branches.ts';
import { headForHooks, type ProjectPair } from '../merge-requests/hook-payload.ts';
import { notifyMergeRequestChange } from '../merge-requests/notify.ts';
import { recordCommitsLater } from '../merge-requests/record-commits.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { changeRefs } from '../repository/change-refs.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { completeTodos } from '../todos/record.ts';
import { closeReferencedIssues } from './close-issues.ts';
import { linkObjectsLater } from './link-objects.ts';

export type MergeParts = Pick<Context, 'db' | 'git' | 'jobs' | 'settings' | 'baseUrl' | 'sshUrl'>;

interface TargetProject extends RepositoryAddress {
  readonly id: number;
}

/** The details of a merge that has happened. */
export interface Merge {
  readonly id: number;
  /** Null if the user was deleted. */
  readonly byId: number | null;
  /** The merged head commit. */
  readonly sha: string;
  /** The merge commit; null if a push brought the commits. */
  readonly mergeCommitSha: string | null;
  /** The merge base. */
  readonly baseSha: string | null;
  readonly places: ProjectPair;
}

/**
 * Marks a merge request as merged, with the consequences, in one transaction: the system note, the
 * event, the hooks' payloads, the closed issues. False if it is merged already or its state has
 * changed; idempotent.
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
    await tx.automaticMerge.deleteMany({ where: { mergeRequestId: id } });
    await recordSystemNotes(tx, { mergeRequestId: id }, byId, ['merged']);
    await completeTodos(tx, { kind: 'mergeRequest', id }, byId);
    await closeReferencedIssues(tx, id, byId, parts);
    await recordCommitsLater(tx, id, parts);
    if (isFromOtherProject(places)) await linkObjectsLater(tx, id, parts);
    await notifyMergeRequestChange(tx, { id, action: 'merge', userId: byId, head }, parts);
    return true;
  });
}

/** Whether the source is a fork: its objects of Git LFS may be missing in the target. */
const isFromOtherProject = ({ project, sourceProject }: ProjectPair): boolean =>
  sourceProject !== null && sourceProject.diskPath !== project.diskPath;

/**
 * Settles a merge that is running or was interrupted. If the target branch contains the merge
 * commit, the record becomes merged; otherwise, if `isOver` says that no process works on it any
 * more, it becomes open again. An automatic merge is tried again if a crash cut it off (`wasCutOff`),
 * and not if it failed.
 */
export async function settleMerge(
  id: number,
  parts: MergeParts,
  isOver: boolean,
  wasCutOff = true,
): Promise<void> {
  const { db, git } = parts;
  const mergeRequest = await db.mergeRequest.findUnique({
    relationLoadStrategy: 'join',
    where: { id },
    include: {
      project: { select: { id: true, storage: true, diskPath: true, isRemoved: true } },
      sourceProject: { where: { isRemoved: false }, select: { storage: true, diskPath: true } },
    },
  });
  if (mergeRequest?.state !== 'locked' || mergeRequest.mergeCommitSha === null || !mergeRequest.sha)
    return;
  const { project, targetBranch, mergeCommitSha } = mergeRequest;
  if (project.isRemoved) return;
  const tip = await tipOf(project, targetBranch, { git });
  const isThere = tip !== null && (await git.merged(project, tip, [mergeCommitSha])).size > 0;
  if (isThere) return finishMerge(mergeRequest, project, parts);
  if (isOver) await unlock(id, { mergeCommitSha, wasCutOff }, parts);
}

interface Locked extends Prisma.MergeRequestGetPayload<object> {
  readonly sourceProject: RepositoryAddress | null;
}

/** The consequences of a merge that the target branch contains. */
async function finishMerge(
  locked: Locked,
  project: TargetProject,
  parts: MergeParts,
): Promise<void> {
  const { id, sha, mergeCommitSha, mergedById: byId } = locked;
  if (sha === null || mergeCommitSha === null) return;
  const merge = await parts.git.commitBehind(project, mergeCommitSha);
  const before = merge?.parentIds[0];
  const baseSha = before ? await parts.git.mergeBase(project, { target: before, head: sha }) : null;
  const places = { project, sourceProject: locked.sourceProject };
  const isFirst = await recordMerge({ id, byId, sha, mergeCommitSha, baseSha, places }, parts);
  if (isFirst) await removeMergedSource(locked, byId, parts);
}

/**
 * Deletes the source branch if the author requested it, with the author's rights, or if the user
 * who merged requested it.
 */
export async function removeMergedSource(
  source: Locked,
  byId: number | null,
  parts: MergeParts,
): Promise<void> {
  if (source.removesSourceBranch) await removeSource(source, source.authorId, parts);
  if (source.shouldRemoveSourceBranch) await removeSource(source, byId, parts);
}

/** Opens the merge request again, with its automatic merge if it has one: the merge did not happen. */
async function unlock(
  id: number,
  { mergeCommitSha, wasCutOff }: { readonly mergeCommitSha: string; readonly wasCutOff: boolean },
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
): Promise<void> {
  await transact(db, async (tx) => {
    const accepted = await tx.automaticMerge.findUnique({ where: { mergeRequestId: id } });
    const { count } = await tx.mergeRequest.updateMany({
      where: { id, state: 'locked', mergeCommitSha },
      data: {
        state: 'opened',
        mergeCommitSha: null,
        mergedById: accepted?.userId ?? null,
        shouldRemoveSourceBranch: accepted?.shouldRemoveSourceBranch ?? null,
      },
    });
    if (count === 0 || !accepted || !wasCutOff) return;
    // the job of its pipeline found it locked
    const { sourceProjectId: projectId, sha } = accepted;
    await jobs.enqueue('pipeline-ended', { projectId, sha }, tx);
  });
}

/** In milliseconds: an older lock belongs to no running process. */
const abandonedAfter = 60_000;

const pageSize = 1000;

/**
 * Enqueues a job for each merge that may have been interrupted; runs at a start and periodically.
 * Skips merges whose job became a dead letter, until that is retried manually.
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

/** The job of a merge that may have been interrupted. */
export async function settleLockedMerge(id: number, parts: MergeParts): Promise<void> {
  const mergeRequest = await parts.db.mergeRequest.findUnique({
    where: { id },
    select: { updatedAt: true },
  });
  if (mergeRequest) await settleMerge(id, parts, isAbandoned(mergeRequest));
}

/** Whether no process works any more on a merge that began at `updatedAt`. */
export const isAbandoned = ({ updatedAt }: { readonly updatedAt: Date }): boolean =>
  updatedAt.getTime() < Date.now() - abandonedAfter;

/**
 * Deletes the merged source branch with the rights of `userId`, unless it is the default branch, is
 * protected, or has commits that were not merged. Errors leave the branch in place.
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
