import type { AutomaticMerge } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { MergeRequestWithProjects } from '../merge-requests/find.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { sentences } from '../system-notes/sentences.ts';
import { type Mergeable, messageOf } from './merge-branch.ts';
import { notMergeable } from './refusals.ts';

/** What a user accepted to merge when the pipeline succeeds. */
export type AcceptedMerge = Pick<AutomaticMerge, 'sha' | 'sourceProjectId' | 'targetBranch'>;

/** Whether a merge request, as read now, is what was accepted. */
export const isAccepted = (
  mergeRequest: MergeRequestWithProjects,
  { sha, sourceProjectId, targetBranch }: AcceptedMerge,
): boolean =>
  mergeRequest.mergesWhenPipelineSucceeds &&
  mergeRequest.sha === sha &&
  mergeRequest.sourceProjectId === sourceProjectId &&
  mergeRequest.targetBranch === targetBranch;

interface AutomaticMergeOptions {
  readonly message?: string | null | undefined;
  readonly shouldRemoveSourceBranch?: boolean | null | undefined;
}

/**
 * Stores that the viewer accepts to merge a merge request as it was read, with the message of its
 * commit; replaces what was accepted before. Throws `notMergeable` if it has changed since.
 */
export async function setAutomaticMerge(
  mergeRequest: Mergeable,
  viewer: Viewer,
  { message, shouldRemoveSourceBranch = null }: AutomaticMergeOptions,
  { db }: Pick<Context, 'db'>,
): Promise<void> {
  const { id, sha, sourceProjectId, targetBranch } = mergeRequest;
  // a merge request of a deleted fork is not mergeable
  if (sourceProjectId === null) throw notMergeable();
  const userId = viewer.id;
  const text = message || messageOf(mergeRequest);
  const accepted = { userId, sha, sourceProjectId, targetBranch, message: text };
  await transact(db, async (tx) => {
    const { count } = await tx.mergeRequest.updateMany({
      where: { id, state: 'opened', sha, sourceProjectId, targetBranch },
      data: { mergesWhenPipelineSucceeds: true, mergedById: userId, shouldRemoveSourceBranch },
    });
    if (count === 0) throw notMergeable();
    const { count: replaced } = await tx.automaticMerge.deleteMany({
      where: { mergeRequestId: id },
    });
    await tx.automaticMerge.create({
      data: { mergeRequestId: id, shouldRemoveSourceBranch, ...accepted },
    });
    const notes = replaced > 0 ? [] : [sentences.automaticMergeEnabled(sha)];
    await recordSystemNotes(tx, { mergeRequestId: id }, userId, notes);
  });
}

/** Enqueues the job that merges what waits for the pipelines of a head commit, if they succeeded. */
export const mergeLater = (
  { sourceProjectId, sha }: Mergeable,
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
): Promise<void> =>
  db.$transaction(async (tx) => {
    if (sourceProjectId === null) return;
    await jobs.enqueue('pipeline-ended', { projectId: sourceProjectId, sha }, tx);
  });
