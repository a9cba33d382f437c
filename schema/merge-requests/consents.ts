import type { Transaction } from '../../prisma/client.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { type ConsentEnd, sentences } from '../system-notes/sentences.ts';

interface Withdrawal {
  /** The user whose action ends the consents; null if the user was deleted. */
  readonly userId: number | null;
  readonly reason: ConsentEnd;
  /** The head commit from now on: approvals that name it stay. */
  readonly head?: string;
  /** Later consents stay. */
  readonly givenBefore?: Date | undefined;
}

/**
 * Ends what users agreed to for the present head and target of a merge request: its automatic merge
 * and its approvals, each with a system note. Runs in the transaction of the change, which holds the
 * lock of the merge request.
 */
export async function withdrawConsents(
  tx: Transaction,
  mergeRequestId: number,
  withdrawal: Withdrawal,
): Promise<void> {
  const { userId, reason, head, givenBefore } = withdrawal;
  const createdAt = givenBefore && { lt: givenBefore };
  if (!createdAt || (await tx.automaticMerge.count({ where: { mergeRequestId, createdAt } })) > 0)
    await abortAutomaticMerge(tx, mergeRequestId, withdrawal);
  const former = head === undefined ? {} : { OR: [{ sha: null }, { sha: { not: head } }] };
  const { count } = await tx.mergeRequestApproval.deleteMany({
    where: { mergeRequestId, ...former, ...(createdAt && { createdAt }) },
  });
  if (count === 0) return;
  await recordSystemNotes(tx, { mergeRequestId }, userId, [sentences.approvalsReset(reason)]);
}

/**
 * Ends the automatic merge of an open merge request, with a system note; false if it has none, or not
 * that of `acceptedBy`.
 */
export async function abortAutomaticMerge(
  tx: Transaction,
  mergeRequestId: number,
  { userId, reason, acceptedBy }: Withdrawal & { readonly acceptedBy?: number | null },
): Promise<boolean> {
  if (!(await endAutomaticMerge(tx, mergeRequestId, acceptedBy))) return false;
  await recordSystemNotes(tx, { mergeRequestId }, userId, [
    sentences.automaticMergeAborted(reason),
  ]);
  return true;
}

/** Ends the automatic merge of an unmerged merge request; false if it has none. */
export async function endAutomaticMerge(
  tx: Transaction,
  id: number,
  acceptedBy?: number | null,
): Promise<boolean> {
  const { count } = await tx.mergeRequest.updateMany({
    where: {
      id,
      state: { in: ['opened', 'closed'] },
      mergesWhenPipelineSucceeds: true,
      ...(acceptedBy !== undefined && { mergedById: acceptedBy }),
    },
    data: {
      mergesWhenPipelineSucceeds: false,
      mergedById: null,
      shouldRemoveSourceBranch: null,
    },
  });
  if (count > 0) await tx.automaticMerge.deleteMany({ where: { mergeRequestId: id } });
  return count > 0;
}
