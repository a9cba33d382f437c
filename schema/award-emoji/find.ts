import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import {
  findNote,
  findNoteable,
  type Noteable,
  type NoteableParent,
  noteableColumns,
} from '../noteables/find.ts';
import type { NoteableRef } from '../noteables/types.ts';

/** What an award emoji is given to: what people talk about, or a note on it. */
export interface Awardable {
  readonly authorId: number | null;
  /** The service wrote it. */
  readonly isSystem: boolean;
  /** Where its votes are counted; a note's are not. */
  readonly counted: Noteable | null;
  readonly parent: NoteableParent | { readonly noteId: number };
  /** The column of its awards that holds its id, which is this. */
  readonly column: string;
  readonly id: number;
}

type Asking = Pick<Context, 'db' | 'viewer'>;

export const awardableOf = (noteable: Noteable): Awardable => ({
  authorId: noteable.authorId,
  isSystem: false,
  counted: noteable,
  parent: noteable.parent,
  column: noteableColumns[noteable.kind],
  id: noteable.id,
});

/** The thing, or the note on it if one is named, or a refusal. */
export async function findAwardable(
  asked: NoteableRef,
  noteId: number | null | undefined,
  ctx: Asking,
): Promise<Awardable> {
  const noteable = await findNoteable(asked, ctx);
  if (noteId === null || noteId === undefined) return awardableOf(noteable);
  const { id, authorId, isSystem } = await findNote(noteable, noteId, ctx);
  return { authorId, isSystem, counted: null, parent: { noteId: id }, column: 'note_id', id };
}

export const noAward = () => notFound('Award Emoji');
