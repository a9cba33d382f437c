import type { Context } from '../kernel/context.ts';
import { byRecord, defineRecord } from '../kernel/nodes.ts';
import { projectOfRecord } from '../projects/find.ts';
import { checkSnippet } from './find.ts';

/** Selects what decides who sees a snippet. */
export const snippetParents = (ctx: Context) =>
  ({
    id: true,
    projectId: true,
    authorId: true,
    visibility: true,
    project: projectOfRecord(ctx),
  }) as const;

export const SnippetNode = defineRecord('Snippet', {
  model: 'snippet',
  select: snippetParents,
  check: checkSnippet,
});

/** For fields of a snippet by project, or null if it is personal, and id. */
export const bySnippet = byRecord(SnippetNode, {
  project: ({ projectId }) => (projectId === null ? null : String(projectId)),
  id: ({ id }) => id,
});
