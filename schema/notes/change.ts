import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { updateCounters } from '../noteables/counting.ts';
import type { Noteable } from '../noteables/find.ts';
import { addedMentions } from '../todos/mentions.ts';
import { refuseLargeThread } from './thread-limits.ts';
import { recordMentions } from './todo-target.ts';

/** Changes a note's text, and makes to-dos for the users whom only the new text mentions. */
export const changeNote = (
  noteable: Noteable,
  id: number,
  body: string,
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
): Promise<void> =>
  transact(db, async (tx) => {
    await updateCounters(tx, noteable, {});
    const former = await tx.note.findUnique({
      where: { id },
      select: { body: true, isInThread: true },
    });
    if (!former) throw recordNotFound();
    await tx.note.update({ where: { id }, data: { body }, select: { id: true } });
    if (former.isInThread) await refuseLargeThread(tx, 'note', id);
    const mentions = addedMentions(former.body, body);
    if (viewer) await recordMentions(tx, noteable, { id, authorId: viewer.id }, mentions);
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
    await keepReplies(tx, note.id);
    const deletion = await tx.note.deleteMany({ where: { id: note.id } });
    if (deletion.count === 0) throw recordNotFound();
  });
}

/** Makes the first reply to a note the first note of the thread, which would be deleted otherwise. */
async function keepReplies(tx: Transaction, id: number): Promise<void> {
  const next = await tx.threadNote.findFirst({
    where: { firstNoteId: id, noteId: { not: id } },
    orderBy: { noteId: 'asc' },
    select: { noteId: true },
  });
  if (!next) return;
  const { noteId } = next;
  await tx.$executeRaw`UPDATE notes SET is_reply = false WHERE id = ${noteId}`;
  await tx.$executeRaw`
    UPDATE thread_notes SET first_note_id = ${noteId} WHERE first_note_id = ${id}`;
}
