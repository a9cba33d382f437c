import { Prisma, type Transaction } from '../../prisma/client.ts';
import { recordNotFound } from '../kernel/errors.ts';

/** An issue as it is while nobody else changes it. */
export type LockedIssue = Awaited<ReturnType<typeof lockIssue>>;

/**
 * Keeps everybody else from changing an issue until the transaction ends. It is taken before the row
 * of its project, so that nobody waits in a circle. Who is about to delete it keeps those away, too,
 * who add to it.
 */
export async function lockIssue(tx: Transaction, id: number, { isLast = false } = {}) {
  const lock = Prisma.raw(isLast ? 'FOR UPDATE' : 'FOR NO KEY UPDATE');
  // what is read by the statement that waits may be from before the wait
  const [held] = await tx.$queryRaw<unknown[]>`
    SELECT id FROM issues WHERE id = ${id} ${lock}`;
  if (!held) throw recordNotFound();
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
