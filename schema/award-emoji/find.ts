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

/** The target of an award emoji: a noteable, or a note on it. */
export interface Awardable {
  readonly authorId: number | null;
  /** Whether it is a system note. */
  readonly isSystem: boolean;
  /** The noteable whose votes change; null for notes. */
  readonly counted: Noteable | null;
  readonly parent: NoteableParent | { readonly noteId: number };
  /** The column of `award_emojis` that refers to the target, and the target's id. */
  readonly column: string;
  readonly id: number;
}

type ViewerContext = Pick<Context, 'db' | 'viewer'>;

export const awardableOf = (noteable: Noteable): Awardable => ({
  authorId: noteable.authorId,
  isSystem: false,
  counted: noteable,
  parent: noteable.parent,
  column: noteableColumns[noteable.kind],
  id: noteable.id,
});

/** The noteable, or its note `noteId` if given; throws if the viewer cannot see it. */
export async function findAwardable(
  noteableRef: NoteableRef,
  noteId: number | null | undefined,
  ctx: ViewerContext,
): Promise<Awardable> {
  const noteable = await findNoteable(noteableRef, ctx);
  if (noteId === null || noteId === undefined) return awardableOf(noteable);
  const { id, authorId, isSystem } = await findNote(noteable, noteId, ctx);
  return { authorId, isSystem, counted: null, parent: { noteId: id }, column: 'note_id', id };
}

export const noAward = () => notFound('Award Emoji');
