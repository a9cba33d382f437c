import type { Database, Transaction } from '../../prisma/client.ts';

/** Whether a note of a thread on the merge request is not resolved. */
export async function hasUnresolved(
  db: Database | Transaction,
  mergeRequestId: number,
): Promise<boolean> {
  const note = await db.threadNote.findFirst({
    where: { mergeRequestId, resolvedAt: null },
    select: { noteId: true },
  });
  return note !== null;
}
