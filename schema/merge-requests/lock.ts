import type { Transaction } from '../../prisma/client.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import { lockRow } from '../issuables/lock.ts';

/** A merge request as read under its lock. */
export type LockedMergeRequest = Awaited<ReturnType<typeof lockMergeRequest>>;

/** Locks a merge request until the transaction ends, and reads it (schema/issuables/lock.ts). */
export async function lockMergeRequest(
  tx: Transaction,
  id: number,
  options?: { readonly isLast: boolean },
) {
  await lockRow(tx, mergeRequestKind, id, options);
  const { text, labels, ...columns } = await tx.mergeRequest.findUniqueOrThrow({
    relationLoadStrategy: 'join',
    where: { id },
    include: {
      text: true,
      milestone: { select: { title: true } },
      assignee: { select: { id: true, username: true } },
      labels: { select: { label: { select: { id: true, name: true } } } },
    },
  });
  return {
    ...columns,
    title: text?.title ?? '',
    description: text?.description ?? null,
    labels: labels.map(({ label }) => label),
  };
}
