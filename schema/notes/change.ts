import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { updateCounters } from '../noteables/counting.ts';
import type { Noteable } from '../noteables/find.ts';

/** Changes a note's text. */
export const changeNote = (
  noteable: Noteable,
  id: number,
  body: string,
  { db }: Pick<Context, 'db'>,
): Promise<void> =>
  transact(db, async (tx) => {
    await updateCounters(tx, noteable, {});
    await tx.note.update({ where: { id }, data: { body }, select: { id: true } });
  });

/** Deletes a note with its award emoji, and decrements the noteable's counter. */
export async function deleteNote(
  noteable: Noteable,
  note: { readonly id: number; readonly isSystem: boolean; readonly updatedAt: Date },
  ctx: Pick<Context, 'db' | 'request'>,
): Promise<void> {
  refuseModified(note, ctx);
  await transact(ctx.db, async (tx) => {
    await updateCounters(tx, noteable, note.isSystem ? {} : { userNotesCount: -1 });
    const deletion = await tx.note.deleteMany({ where: { id: note.id } });
    if (deletion.count === 0) throw recordNotFound();
  });
}
