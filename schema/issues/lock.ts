import type { Transaction } from '../../prisma/client.ts';
import { issueKind } from '../issuables/kinds.ts';
import { lockRow } from '../issuables/lock.ts';

/** An issue as read under its lock. */
export type LockedIssue = Awaited<ReturnType<typeof lockIssue>>;

/** Locks an issue until the transaction ends, and reads it (schema/issuables/lock.ts). */
export async function lockIssue(
  tx: Transaction,
  id: number,
  options?: { readonly isLast: boolean },
) {
  await lockRow(tx, issueKind, id, options);
  const { text, assignees, labels, ...issue } = await tx.issue.findUniqueOrThrow({
    relationLoadStrategy: 'join',
    where: { id },
    include: {
      text: true,
      milestone: { select: { title: true } },
      assignees: { select: { user: { select: { id: true, username: true } } } },
      labels: { select: { label: { select: { id: true, name: true } } } },
    },
  });
  return {
    ...issue,
    title: text?.title ?? '',
    description: text?.description ?? null,
    assignees: assignees.map(({ user }) => user),
    labels: labels.map(({ label }) => label),
  };
}
