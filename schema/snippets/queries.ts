import type { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { listingCost, type PageArgs, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import { findSnippet, findSnippetHome, visibleSnippets } from './find.ts';
import { Snippet, SnippetPage } from './types.ts';

builder.queryFields((t) => ({
  snippet: t.prismaField({
    type: Snippet,
    args: {
      /** Omitted for a personal snippet. */
      project: t.arg.id(),
      id: t.arg.int({ required: true }),
    },
    resolve: async (query, _root, { project, id }, ctx) => {
      await findSnippet({ project }, id, ctx);
      return ctx.db.snippet.findUniqueOrThrow({
        ...query,
        relationLoadStrategy: 'join',
        where: { id },
      });
    },
  }),
  projectSnippets: t.field({
    type: SnippetPage,
    description: 'Those of a project that the viewer may see, the newest first.',
    complexity: listingCost,
    args: { ...pageArgs, project: t.arg.id({ required: true }) },
    resolve: async (_root, { project, ...page }, ctx) => {
      const viewer = signedIn(ctx);
      const { projectId, level } = await findSnippetHome({ project }, ctx);
      return snippetPage({ projectId, ...visibleSnippets(viewer, level) }, page, ctx);
    },
  }),
  ownSnippets: t.field({
    type: SnippetPage,
    description: "The viewer's personal ones, the newest first.",
    complexity: listingCost,
    args: pageArgs,
    resolve: (_root, page, ctx) =>
      snippetPage({ authorId: signedIn(ctx).id, projectId: null }, page, ctx),
  }),
  publicSnippets: t.field({
    type: SnippetPage,
    description: 'Public personal snippets, newest first.',
    complexity: listingCost,
    args: pageArgs,
    resolve: (_root, page, ctx) => {
      signedIn(ctx);
      return snippetPage({ visibility: 'public', projectId: null }, page, ctx);
    },
  }),
}));

const snippetPage = (where: Prisma.SnippetWhereInput, page: PageArgs, { db }: Context) =>
  recordPage(
    db.snippet,
    { relationLoadStrategy: 'join', where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] },
    page,
  );
