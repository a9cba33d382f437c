import { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, recordNotFound } from '../kernel/errors.ts';
import { findNote, type Noteable, noteableColumns } from '../noteables/find.ts';
import { discussionKey, startedByOf } from './discussion-key.ts';

interface NoteInDiscussion {
  readonly id: number;
  /** The key of the discussion that the note must be part of, if a client names one. */
  readonly discussion?: string | null | undefined;
}

/** A note on the noteable, of a discussion if one is named; throws if it does not exist. */
export async function findNoteIn(
  noteable: Noteable,
  { id, discussion }: NoteInDiscussion,
  ctx: Pick<Context, 'db'>,
) {
  const note = await findNote(noteable, id, ctx);
  if (typeof discussion === 'string' && (await keyOf(id, ctx)) !== discussion)
    throw recordNotFound();
  return note;
}

/** As `findNoteIn`, as the condition of a statement. */
export function noteCondition(
  { kind, id: parentId }: Noteable,
  { id, discussion }: NoteInDiscussion,
): Prisma.Sql {
  const onParent = Prisma.sql`id = ${id} AND ${Prisma.raw(noteableColumns[kind])} = ${parentId}`;
  if (typeof discussion !== 'string') return onParent;
  const startedBy = startedByOf('note', discussion);
  if (startedBy === null) return Prisma.sql`false`;
  return Prisma.sql`${onParent} AND ${startedBy} =
    coalesce((SELECT started_by FROM thread_notes WHERE note_id = ${id}), ${id})`;
}

async function keyOf(noteId: number, { db }: Pick<Context, 'db'>): Promise<string> {
  const thread = await db.threadNote.findUnique({
    where: { noteId },
    select: { startedBy: true },
  });
  return discussionKey('note', thread?.startedBy ?? noteId);
}

/** A discussion of a noteable. */
export interface FoundDiscussion {
  readonly firstNoteId: number;
  /** The id of the note that started it. */
  readonly startedBy: number;
  /** Whether it is a single note, to which there can be no replies. */
  readonly isIndividual: boolean;
  /** Whether it is a thread on a merge request. */
  readonly isResolvable: boolean;
}

/** The discussion of a noteable with this key; throws if there is none. */
export async function findDiscussion(
  { kind, id }: Noteable,
  key: string,
  { db }: Pick<Context, 'db'>,
): Promise<FoundDiscussion> {
  const startedBy = startedByOf('note', key);
  if (startedBy === null) throw notFound('Discussion');
  const [discussion] = await db.$queryRaw<FoundDiscussion[]>`
    SELECT id AS "firstNoteId", ${startedBy}::int AS "startedBy",
      threads.note_id IS NULL AS "isIndividual",
      EXISTS (
        SELECT FROM thread_notes WHERE started_by = ${startedBy} AND merge_request_id IS NOT NULL
      ) AS "isResolvable"
    FROM notes LEFT JOIN thread_notes threads ON threads.note_id = notes.id
    WHERE id = coalesce(
        (SELECT first_note_id FROM thread_notes WHERE started_by = ${startedBy} LIMIT 1), ${startedBy})
      AND ${Prisma.raw(`notes.${noteableColumns[kind]}`)} = ${id}
      AND NOT is_reply AND coalesce(threads.started_by, id) = ${startedBy}`;
  if (!discussion) throw notFound('Discussion');
  return discussion;
}
