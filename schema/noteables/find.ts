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

type ViewerContext = Pick<Context, 'db' | 'viewer'>;

/**
 * The noteable, if the viewer is signed in and may see it; otherwise throws `not found`
 * (v4-behaviour 2.6).
 */
export async function findNoteable(
  noteableRef: NoteableRef,
  ctx: ViewerContext,
): Promise<Noteable> {
  if (noteableRef.issue) return issueNoteable(noteableRef.issue, ctx);
  if (noteableRef.mergeRequest) return mergeRequestNoteable(noteableRef.mergeRequest, ctx);
  if (noteableRef.snippet) return snippetNoteable(noteableRef.snippet, ctx);
  throw recordNotFound();
}

type RefOf<Kind extends keyof NoteableRef> = NonNullable<NoteableRef[Kind]>;

async function issueNoteable(issue: RefOf<'issue'>, ctx: ViewerContext): Promise<Noteable> {
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

async function mergeRequestNoteable(
  mergeRequest: RefOf<'mergeRequest'>,
  ctx: ViewerContext,
): Promise<Noteable> {
  signedIn(ctx);
  const { id, authorId, isDiscussionLocked, level } = await findMergeRequest(
    mergeRequest.project,
    mergeRequest.iid,
    ctx,
  );
  return {
    kind: 'MergeRequest',
    id,
    authorId,
    isDiscussionLocked: isDiscussionLocked ?? false,
    level,
    parent: { mergeRequestId: id },
  };
}

async function snippetNoteable(
  snippetRef: RefOf<'snippet'>,
  ctx: ViewerContext,
): Promise<Noteable> {
  const snippet = await lookupSnippet(snippetRef, snippetRef.id, ctx);
  if (!snippet) throw recordNotFound();
  const { id, authorId, level } = snippet;
  return {
    kind: 'Snippet',
    id,
    authorId,
    isDiscussionLocked: false,
    level,
    parent: { snippetId: id },
  };
}

/** A note on the noteable by id; throws if it does not exist. */
export async function findNote({ parent }: Noteable, id: number, { db }: Pick<Context, 'db'>) {
  const note = await db.note.findFirst({
    where: { id, ...parent },
    select: { id: true, authorId: true, isSystem: true, updatedAt: true },
  });
  if (!note) throw recordNotFound();
  return note;
}
