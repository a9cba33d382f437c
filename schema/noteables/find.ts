import { findIssue } from '../issues/find.ts';
import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import type { AskedNoteable } from './types.ts';

/** One kind of noteable each: its name on the wire, and the column by which others belong to it. */
export const noteableColumns = { Issue: 'issue_id' } as const;

export type NoteableKind = keyof typeof noteableColumns;

/** A thing that people talk about, as the viewer found it. */
export interface Noteable {
  readonly kind: NoteableKind;
  readonly id: number;
  readonly authorId: number | null;
  readonly isDiscussionLocked: boolean;
  /** The viewer's level in its project. */
  readonly level: Access;
  /** What belongs to it is found, and stored, by this. */
  readonly parent: { readonly issueId: number };
}

type Asking = Pick<Context, 'db' | 'viewer'>;

/**
 * What is talked about, if the viewer is signed in and may see it. What may not be seen is not
 * found (v4-behaviour 2.6).
 */
export async function findNoteable({ issue }: AskedNoteable, ctx: Asking): Promise<Noteable> {
  if (!issue) throw recordNotFound();
  const { id, authorId, isDiscussionLocked, level } = await findIssue(
    issue.project,
    issue.iid,
    ctx,
  );
  return {
    kind: 'Issue',
    id,
    authorId,
    isDiscussionLocked: isDiscussionLocked ?? false,
    level,
    parent: { issueId: id },
  };
}

/** A note on it, if there is one of this id. */
export async function findNote({ parent }: Noteable, id: number, { db }: Pick<Context, 'db'>) {
  const note = await db.note.findFirst({
    where: { id, ...parent },
    select: { id: true, authorId: true, isSystem: true, updatedAt: true },
  });
  if (!note) throw recordNotFound();
  return note;
}
