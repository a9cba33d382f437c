import type { Transaction } from '../../prisma/client.ts';
import { without } from '../issuables/attachments.ts';
import { readersAmong } from '../projects/readers.ts';
import { sentences } from '../system-notes/sentences.ts';
import type { IssueDifference } from './differences.ts';
import type { IssueChange } from './inputs.ts';
import type { LockedIssue } from './lock.ts';

/**
 * Sets the assignees. Ignores users who may not see the project, and the whole change if that
 * leaves none of the users named.
 */
export async function changeAssignees(
  tx: Transaction,
  projectId: number,
  before: LockedIssue,
  { assigneeIds }: IssueChange,
): Promise<readonly IssueDifference[]> {
  if (!assigneeIds) return [];
  const after = await tx.$queryRaw<{ id: number; username: string }[]>`
    ${readersAmong(assigneeIds, projectId)} ORDER BY users.id FOR KEY SHARE OF users`;
  if (assigneeIds.length > 0 && after.length === 0) return [];
  const added = without(after, before.assignees);
  const removed = without(before.assignees, after);
  if (added.length + removed.length === 0) return [];
  await tx.issueAssignee.deleteMany({
    where: { issueId: before.id, userId: { in: removed.map(({ id }) => id) } },
  });
  await tx.issueAssignee.createMany({
    data: added.map(({ id }) => ({ issueId: before.id, userId: id })),
  });
  const usernames = (users: typeof after) => users.map(({ username }) => username);
  return [
    { sentences: [sentences.assigned({ added: usernames(added), removed: usernames(removed) })] },
  ];
}
