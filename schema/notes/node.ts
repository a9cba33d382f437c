import { recordNotFound } from '../kernel/errors.ts';
import { defineNode } from '../kernel/nodes.ts';
import { orThrow } from '../kernel/results.ts';
import { findNoteable } from '../noteables/find.ts';
import type { NoteableRef } from '../noteables/types.ts';

/** Where a note is. */
const homeSelection = {
  issue: { select: { projectId: true, iid: true } },
  mergeRequest: { select: { projectId: true, iid: true } },
  snippet: { select: { projectId: true, id: true } },
} as const;

defineNode('Note', async (query, id, ctx) => {
  const { db } = ctx;
  const where = { id };
  const home = await orThrow(
    db.note.findUnique({ relationLoadStrategy: 'join', where, select: homeSelection }),
    recordNotFound,
  );
  await findNoteable(noteableOf(home), ctx);
  return orThrow(
    db.note.findUnique({ ...query, relationLoadStrategy: 'join', where }),
    recordNotFound,
  );
});

interface Home {
  readonly issue: { readonly projectId: number; readonly iid: number } | null;
  readonly mergeRequest: { readonly projectId: number; readonly iid: number } | null;
  readonly snippet: { readonly projectId: number | null; readonly id: number } | null;
}

function noteableOf({ issue, mergeRequest, snippet }: Home): NoteableRef {
  if (issue) return { issue: { project: String(issue.projectId), iid: issue.iid } };
  if (mergeRequest) {
    const { projectId, iid } = mergeRequest;
    return { mergeRequest: { project: String(projectId), iid } };
  }
  // personal snippets have no notes
  if (!snippet || snippet.projectId === null) throw recordNotFound();
  return { snippet: { project: String(snippet.projectId), id: snippet.id } };
}
