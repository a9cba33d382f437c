import type { AutomaticMerge } from '../../prisma/client.ts';
import { noRequest } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { abortAutomaticMerge } from '../merge-requests/consents.ts';
import { commitStatusOf } from '../pipelines/commit-fields.ts';
import type { JobPayloads } from '../ports/jobs.ts';
import { viewerOf } from '../sessions/viewer.ts';
import type { ConsentEnd } from '../system-notes/sentences.ts';
import { acceptMergeRequest } from './merge.ts';
import type { MergeParts } from './settle-merge.ts';

/**
 * The job after a pipeline's end: merges the merge requests that wait for it, exactly as they were
 * accepted and with the present rights of the user who accepted them. Aborts the automatic merge if
 * that user may no longer merge; other merge requests that cannot be merged stay open.
 */
export async function mergeAfterPipeline(
  { projectId, sha }: JobPayloads['pipeline-ended'],
  signal: AbortSignal,
  parts: MergeParts,
): Promise<void> {
  const waiting = await parts.db.mergeRequest.findMany({
    relationLoadStrategy: 'join',
    where: {
      sourceProjectId: projectId,
      sha,
      state: 'opened',
      mergesWhenPipelineSucceeds: true,
      project: { isRemoved: false },
    },
    orderBy: { id: 'asc' },
    select: { id: true, iid: true, projectId: true },
  });
  if (waiting.length === 0 || (await commitStatusOf(projectId, sha, parts)) !== 'success') return;
  for (const mergeRequest of waiting) {
    signal.throwIfAborted();
    // not read with the others: the user may have changed it during an earlier merge
    const accepted = await parts.db.automaticMerge.findUnique({
      where: { mergeRequestId: mergeRequest.id },
    });
    const reason = await mergeAccepted(mergeRequest, accepted, signal, parts);
    if (reason) await abort(mergeRequest.id, accepted, reason, parts);
  }
}

interface Waiting {
  readonly id: number;
  readonly iid: number;
  /** The target project. */
  readonly projectId: number;
}

/** Merges what was accepted; gives why its automatic merge must end, or null. */
async function mergeAccepted(
  { iid, projectId }: Waiting,
  accepted: AutomaticMerge | null,
  signal: AbortSignal,
  parts: MergeParts,
): Promise<ConsentEnd | null> {
  if (!accepted) return 'unknown';
  const viewer = accepted.userId === null ? null : await viewerOf(parts.db, accepted.userId);
  if (!viewer) return 'lostRight';
  const { sha, message, shouldRemoveSourceBranch } = accepted;
  const ctx = { ...parts, viewer, request: { ...noRequest, signal } };
  const options = { sha, message, shouldRemoveSourceBranch, accepted };
  try {
    await acceptMergeRequest(String(projectId), iid, options, ctx);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'UNAVAILABLE') throw error;
    return isLostRight(error) ? 'lostRight' : null;
  }
  return null;
}

/** Whether an error says that the user may not merge, rather than that it cannot be merged now. */
const isLostRight = ({ code, reason }: DomainError): boolean =>
  code === 'UNAUTHENTICATED' ||
  code === 'NOT_FOUND' ||
  (code === 'FORBIDDEN' && reason !== 'not-mergeable');

async function abort(
  id: number,
  accepted: AutomaticMerge | null,
  reason: ConsentEnd,
  { db }: MergeParts,
): Promise<void> {
  const userId = accepted?.userId ?? null;
  const end = { userId, reason, ...(accepted && { acceptedBy: userId }) };
  await transact(db, (tx) => abortAutomaticMerge(tx, id, end));
}
