import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { done, orThrow } from '../kernel/results.ts';
import { createSnippet, deleteSnippet, updateSnippet } from './change.ts';
import { NewSnippetInput, Snippet, SnippetChangeInput } from './types.ts';

const home = builder.args((t) => ({
  /** Omitted for a personal snippet. */
  project: t.id(),
}));

const snippetArgs = builder.args((t) => ({ project: t.id(), id: t.int({ required: true }) }));

builder.mutationFields((t) => ({
  createSnippet: t.prismaField({
    type: Snippet,
    args: { ...home, snippet: t.arg({ type: NewSnippetInput, required: true }) },
    resolve: async (query, _root, { project, snippet }, ctx) =>
      reload(query, await createSnippet({ project }, snippet, ctx), ctx),
  }),
  updateSnippet: t.prismaField({
    type: Snippet,
    args: { ...snippetArgs, change: t.arg({ type: SnippetChangeInput, required: true }) },
    resolve: async (query, _root, { project, id, change }, ctx) => {
      await updateSnippet({ project }, id, change, ctx);
      return reload(query, id, ctx);
    },
  }),
  deleteSnippet: t.boolean({
    args: snippetArgs,
    resolve: (_root, { project, id }, ctx) => done(deleteSnippet({ project }, id, ctx)),
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
