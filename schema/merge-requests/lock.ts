import { Prisma, type Transaction } from '../../prisma/client.ts';
import { recordNotFound } from '../kernel/errors.ts';

/** A merge request as it is while nobody else changes it. */
export type LockedMergeRequest = Awaited<ReturnType<typeof lockMergeRequest>>;

/**
 * Keeps everybody else from changing a merge request until the transaction ends. It is taken before
 * the row of its project, so that nobody waits in a circle. Who is about to delete it keeps those
 * away, too, who add to it.
 */
export async function lockMergeRequest(tx: Transaction, id: number, { isLast = false } = {}) {
  const lock = Prisma.raw(isLast ? 'FOR UPDATE' : 'FOR NO KEY UPDATE');
  // what is read by the statement that waits may be from before the wait
  const [held] = await tx.$queryRaw<unknown[]>`
    SELECT id FROM merge_requests WHERE id = ${id} ${lock}`;
  if (!held) throw recordNotFound();
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
