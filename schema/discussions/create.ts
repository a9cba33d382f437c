import type { Transaction } from '../../prisma/client.ts';
import type { CheckedPosition } from '../diff-positions/check.ts';
import { copyPosition, storePosition } from '../diff-positions/store.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, rejected } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Noteable } from '../noteables/find.ts';
import { createThreadNote, type NewNote } from '../notes/create.ts';
import type { FoundDiscussion } from '../notes/find.ts';
import { refuseLargeThread } from '../notes/thread-limits.ts';

type NewDiscussion = NewNote & { readonly position: CheckedPosition | null };

/** Starts a thread in the viewer's name, and gives the id of its first note. */
export const createDiscussion = (
  noteable: Noteable,
  { position, ...note }: NewDiscussion,
  viewer: Viewer,
  ctx: Context,
): Promise<number> =>
  createThreadNote(noteable, { ...note, isReply: false }, viewer, ctx, async (tx, id) => {
    await tx.threadNote.create({
      data: {
        noteId: id,
        firstNoteId: id,
        startedBy: id,
        mergeRequestId: noteable.kind === 'MergeRequest' ? noteable.id : null,
      },
      select: { noteId: true },
    });
    if (position) await storePosition(tx, { noteId: id }, position);
  });

export const isIndividualNote = () =>
  rejected('400 (Bad request) "Discussion is an individual note." not given');

/** Replies to a thread in the viewer's name, and gives the id of the note. */
export function replyToDiscussion(
  noteable: Noteable,
  { startedBy, isIndividual }: FoundDiscussion,
  note: NewNote,
  viewer: Viewer,
  ctx: Context,
): Promise<number> {
  if (isIndividual) throw isIndividualNote();
  return createThreadNote(noteable, { ...note, isReply: true }, viewer, ctx, (tx, id) =>
    attachReply(tx, { id, startedBy, viewerId: viewer.id }),
  );
}

interface Reply {
  readonly id: number;
  readonly startedBy: number;
  readonly viewerId: number;
}

/**
 * A reply to a resolved discussion is resolved, too: it stays resolved. System notes in it, which have
 * no merge request, do not count.
 */
async function attachReply(tx: Transaction, { id, startedBy, viewerId }: Reply): Promise<void> {
  const [first] = await tx.$queryRaw<{ first_note_id: number }[]>`
    INSERT INTO thread_notes (
      note_id, first_note_id, started_by, merge_request_id, resolved_at, resolved_by_id)
    SELECT ${id}::int, first_note_id, ${startedBy}::int, merge_request_id,
      CASE WHEN is_resolved THEN now() END, CASE WHEN is_resolved THEN ${viewerId}::int END
    FROM (
      SELECT min(first_note_id) AS first_note_id, min(merge_request_id) AS merge_request_id,
        bool_and(resolved_at IS NOT NULL) FILTER (WHERE merge_request_id IS NOT NULL) AS is_resolved
      FROM thread_notes WHERE started_by = ${startedBy}) thread
    WHERE first_note_id IS NOT NULL
    RETURNING first_note_id`;
  // the last note of the thread was deleted in between
  if (!first) throw notFound('Discussion');
  await refuseLargeThread(tx, 'note', id);
  await copyPosition(tx, 'note_id', { from: first.first_note_id, to: id });
}
