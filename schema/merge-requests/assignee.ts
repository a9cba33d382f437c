import type { Transaction } from '../../prisma/client.ts';
import { readersAmong } from '../projects/readers.ts';
import { sentences } from '../system-notes/sentences.ts';
import type { MergeRequestDifference } from './differences.ts';
import type { MergeRequestChange } from './inputs.ts';
import type { LockedMergeRequest } from './lock.ts';

/** Sets or clears the assignee; ignores a user who may not see the project. */
export async function changeAssignee(
  tx: Transaction,
  projectId: number,
  before: LockedMergeRequest,
  { assigneeId }: MergeRequestChange,
): Promise<readonly MergeRequestDifference[]> {
  if (assigneeId === undefined || assigneeId === before.assigneeId) return [];
  const [assignee] =
    assigneeId === null
      ? []
      : await tx.$queryRaw<{ id: number; username: string }[]>`
          ${readersAmong([assigneeId], projectId)} FOR KEY SHARE OF users`;
  if (assigneeId !== null && !assignee) return [];
  const sentence = sentences.assigned({
    added: assignee ? [assignee.username] : [],
    removed: before.assignee ? [before.assignee.username] : [],
  });
  const hookChanges = { assignee_id: [before.assigneeId, assigneeId] } as const;
  return [{ columns: { assigneeId }, sentences: [sentence], hookChanges }];
}
