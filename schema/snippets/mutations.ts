import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { done, orThrow } from '../kernel/results.ts';
import { createSnippet, deleteSnippet, updateSnippet } from './change.ts';
import { bySnippet } from './node.ts';
import { NewSnippetInput, Snippet, SnippetChangeInput } from './types.ts';

const home = builder.args((t) => ({
  project: t.id({
    description: 'The project; null for a personal snippet.',
  }),
}));

const snippetArgs = builder.args((t) => ({
  project: t.id({
    description: 'The project; null for a personal snippet.',
  }),
  id: t.int({ required: true, description: 'The id of the snippet.' }),
}));

builder.mutationFields((t) => ({
  createSnippet: t.prismaField({
    type: Snippet,
    description: 'Creates a snippet of the current user, or of a project, for its reporters.',
    args: {
      ...home,
      snippet: t.arg({ type: NewSnippetInput, required: true, description: 'The new snippet.' }),
    },
    resolve: async (query, _root, { project, snippet }, ctx) =>
      reload(query, await createSnippet({ project }, snippet, ctx), ctx),
  }),
  updateSnippet: t.prismaField({
    extensions: bySnippet,
    type: Snippet,
    description:
      'Changes a snippet; absent fields stay as they are. The author, masters of its project and administrators may do it.',
    args: {
      ...snippetArgs,
      change: t.arg({ type: SnippetChangeInput, required: true, description: 'The changes.' }),
    },
    resolve: async (query, _root, { project, id, change }, ctx) => {
      await updateSnippet({ project }, id, change, ctx);
      return reload(query, id, ctx);
    },
  }),
  deleteSnippet: t.id({
    extensions: { ...bySnippet, identifies: 'Snippet' },
    description:
      'Deletes a snippet with its notes. The author, masters of its project and administrators may do it.',
    args: snippetArgs,
    resolve: (_root, { project, id }, ctx) => done(deleteSnippet({ project }, id, ctx), id),
  }),
}));

/** Reads a snippet after a mutation; null if it was deleted concurrently. */
async function reload(query: object, id: number, { db }: Pick<Context, 'db'>) {
  return orThrow(
    db.snippet.findUnique({
      ...query,
      relationLoadStrategy: 'join',
      where: { id },
    }),
    () => notFound('Snippet'),
  );
}
