import { checkIssue, IssueNode, issueParents } from '../issues/node.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { byOneOf, byRecord, defineRecord } from '../kernel/nodes.ts';
import { mergeRequestProjectOf } from '../merge-requests/find.ts';
import { MergeRequestNode, mergeRequestParents } from '../merge-requests/node.ts';
import type { ProjectFacts } from '../projects/find.ts';
import { checkSnippet } from '../snippets/find.ts';
import { SnippetNode, snippetParents } from '../snippets/node.ts';
import type { NoteableRef } from './types.ts';

/** Selects the noteable of a note or award emoji, and what decides who sees it. */
export const noteableParents = (ctx: Context) =>
  ({
    issue: { select: issueParents(ctx) },
    mergeRequest: { select: mergeRequestParents(ctx) },
    snippet: { select: snippetParents(ctx) },
  }) as const;

interface InProject {
  readonly id: number;
  readonly project: ProjectFacts;
  readonly projectId: number;
  readonly iid: number;
}

/** A record with the noteable that it belongs to: one of the three. */
export interface OnNoteable {
  readonly issue: (InProject & Parameters<typeof checkIssue>[0]) | null;
  readonly mergeRequest: InProject | null;
  readonly snippet: (Parameters<typeof checkSnippet>[0] & { readonly id: number }) | null;
}

/** Throws unless the viewer may see the noteable. Personal snippets have no notes. */
export function checkNoteable({ issue, mergeRequest, snippet }: OnNoteable, ctx: Context): void {
  if (issue) checkIssue(issue, ctx);
  else if (mergeRequest) mergeRequestProjectOf(mergeRequest.project, ctx);
  else if (snippet?.project) checkSnippet(snippet, ctx);
  else throw recordNotFound();
}

/** The noteable as an argument of the core. */
export function noteableOf({ issue, mergeRequest, snippet }: OnNoteable): NoteableRef {
  if (issue) return { issue: refOf(issue) };
  if (mergeRequest) return { mergeRequest: refOf(mergeRequest) };
  if (!snippet) throw recordNotFound();
  return { snippet: snippetRef(snippet) };
}

const refOf = ({ projectId, iid }: Pick<InProject, 'projectId' | 'iid'>) => ({
  project: String(projectId),
  iid,
});

function snippetRef({ id, project }: NonNullable<OnNoteable['snippet']>) {
  if (!project) throw recordNotFound();
  return { project: String(project.id), id };
}

/** For fields of an issue, merge request or snippet with notes. */
export const byNoteable = byOneOf('noteableId', [
  byRecord(IssueNode, { noteable: (issue) => ({ issue: refOf(issue) }) }),
  byRecord(MergeRequestNode, {
    noteable: (mergeRequest) => ({ mergeRequest: refOf(mergeRequest) }),
  }),
  byRecord(SnippetNode, { noteable: (snippet) => ({ snippet: snippetRef(snippet) }) }),
]);

export const NoteNode = defineRecord('Note', {
  model: 'note',
  select: (ctx) => ({ id: true, ...noteableParents(ctx) }) as const,
  check: (note, ctx) => checkNoteable(note, ctx),
});

/** For fields of a note by noteable and id. */
export const byNote = byRecord(NoteNode, { noteable: noteableOf, id: ({ id }) => id });
