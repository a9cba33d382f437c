import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { done, orThrow } from '../kernel/results.ts';
import { Visibility } from '../settings/types.ts';
import { createSnippet, deleteSnippet, updateSnippet } from './change.ts';
import { Snippet } from './types.ts';

const NewSnippetInput = builder.inputType('NewSnippet', {
  fields: (t) => ({
    title: t.string({ required: true }),
    fileName: t.string({ required: true }),
    description: t.string(),
    content: t.string({ required: true }),
    /** Default: the instance's setting. */
    visibility: t.field({ type: Visibility }),
  }),
});

const SnippetChangeInput = builder.inputType('SnippetChange', {
  description: 'What is left out stays as it is; null takes a description away.',
  fields: (t) => ({
    title: t.string(),
    fileName: t.string(),
    description: t.string(),
    content: t.string(),
    visibility: t.field({ type: Visibility }),
  }),
});

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
