import { findIssue } from '../issues/find.ts';
import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { findMergeRequest } from '../merge-requests/find.ts';
import { lookupSnippet } from '../snippets/find.ts';
import type { NoteableRef } from './types.ts';

/** The kinds of noteable by their name over the wire, with the column that refers to them. */
export const noteableColumns = {
  Issue: 'issue_id',
  MergeRequest: 'merge_request_id',
  Snippet: 'snippet_id',
} as const;

export type NoteableKind = keyof typeof noteableColumns;

export type NoteableParent =
  | { readonly issueId: number }
  | { readonly mergeRequestId: number }
  | { readonly snippetId: number };

/** A noteable with what its policies need: an issue, merge request or snippet. */
export interface Noteable {
  readonly kind: NoteableKind;
  readonly id: number;
  readonly authorId: number | null;
  readonly isDiscussionLocked: boolean;
  /** The viewer's level in its project. */
  readonly level: Access;
  /** The filter for, and column of, rows that refer to it. */
  readonly parent: NoteableParent;
}

/**
 * The noteable, if the viewer is signed in and may see it; otherwise throws `not found`
 * (v4-behaviour 2.6).
 */
export async function findNoteable(
  { issue, mergeRequest, snippet }: NoteableRef,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<Noteable> {
  if (issue) {
    const record = await findIssue(issue.project, issue.iid, ctx);
    return noteableOf('Issue', record, { issueId: record.id });
  }
  if (mergeRequest) {
    signedIn(ctx);
    const record = await findMergeRequest(mergeRequest.project, mergeRequest.iid, ctx);
    return noteableOf('MergeRequest', record, { mergeRequestId: record.id });
  }
  const record = snippet && (await lookupSnippet(snippet, snippet.id, ctx));
  if (!record) throw recordNotFound();
  return noteableOf('Snippet', record, { snippetId: record.id });
}

type NoteableRecord = Pick<Noteable, 'id' | 'authorId' | 'level'> & {
  readonly isDiscussionLocked?: boolean | null;
};

const noteableOf = (
  kind: NoteableKind,
  { id, authorId, level, isDiscussionLocked }: NoteableRecord,
  parent: NoteableParent,
): Noteable => ({
  kind,
  id,
  authorId,
  isDiscussionLocked: isDiscussionLocked ?? false,
  level,
  parent,
});

/** A note on the noteable by id; throws if it does not exist. */
export async function findNote({ parent }: Noteable, id: number, { db }: Pick<Context, 'db'>) {
  const note = await db.note.findFirst({
    where: { id, ...parent },
    select: { id: true, authorId: true, isSystem: true, updatedAt: true },
  });
  if (!note) throw recordNotFound();
  return note;
}
