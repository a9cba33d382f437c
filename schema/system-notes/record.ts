import type { Transaction } from '../../prisma/client.ts';

/** The column of a note that refers to its noteable. */
export type NoteParent = { readonly issueId: number } | { readonly mergeRequestId: number };

/**
 * Writes system notes in the transaction of the change, one per sentence: `closed`, `changed
 * milestone to …` (v4-behaviour 2.6).
 */
export async function recordSystemNotes(
  tx: Transaction,
  parent: NoteParent,
  authorId: number | null,
  sentences: readonly string[],
): Promise<void> {
  if (sentences.length === 0) return;
  await tx.note.createMany({
    data: sentences.map((body) => ({ ...parent, authorId, body, isSystem: true })),
  });
}
