import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findSnippet, findSnippetHome, visibleSnippets } from './find.ts';
import { snippetPage } from './listing.ts';
import { Snippet, SnippetPage } from './types.ts';

const isPersonal = Prisma.sql`project_id IS NULL`;

builder.queryFields((t) => ({
  snippet: t.prismaField({
    type: Snippet,
    extensions: internal,
    args: {
      project: t.arg.id({
        description: 'The project; left out for a personal snippet.',
      }),
      id: t.arg.int({ required: true, description: 'The id of the snippet.' }),
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
    description: 'The snippets of a project that the current user may see, the newest first.',
    extensions: internal,
    complexity: listingCost,
    args: { ...pageArgs, project: t.arg.id({ required: true }) },
    resolve: async (_root, { project, ...page }, ctx) => {
      const viewer = signedIn(ctx);
      const { projectId, level } = await findSnippetHome({ project }, ctx);
      const parent = belongsTo('project_id', projectId ?? 0);
      return snippetPage(ctx, visibleSnippets(viewer, level), page, parent);
    },
  }),
  ownSnippets: t.field({
    type: SnippetPage,
    description: 'The personal snippets of the current user, the newest first.',
    extensions: internal,
    complexity: listingCost,
    args: pageArgs,
    resolve: (_root, page, ctx) =>
      snippetPage(ctx, [Prisma.sql`author_id = ${signedIn(ctx).id}`, isPersonal], page),
  }),
  snippets: t.field({
    type: SnippetPage,
    description:
      'The public personal snippets of all users, the newest first. A project leads to its own snippets. An anonymous user gets UNAUTHENTICATED.',
    complexity: listingCost,
    args: pageArgs,
    resolve: (_root, page, ctx) => {
      signedIn(ctx);
      return snippetPage(ctx, [Prisma.sql`visibility = 'public'`, isPersonal], page);
    },
  }),
}));
