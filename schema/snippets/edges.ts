import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { ifVisible } from '../kernel/results.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { projectById } from '../projects/find.ts';
import { Project, ProjectAccess } from '../projects/types.ts';
import { User } from '../users/types.ts';
import { snippetProjectById, visibleSnippets } from './find.ts';
import { snippetPage } from './listing.ts';
import { canCreateSnippet, canEditSnippet } from './policy.ts';
import { Snippet, SnippetPage } from './types.ts';
import { readableSnippets } from './visible.ts';

builder.prismaObjectField(Project, 'snippets', (t) =>
  t.field({
    type: SnippetPage,
    nullable: true,
    description:
      'The snippets of the project that the current user may see, the newest first. Null for an anonymous user, and if snippets are disabled.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ifVisible(async () => {
        const { viewer, level } = await snippetProjectById(id, ctx);
        return snippetPage(ctx, visibleSnippets(viewer, level), page, belongsTo('project_id', id));
      }),
  }),
);

builder.prismaObjectField(User, 'snippets', (t) =>
  t.field({
    type: SnippetPage,
    nullable: true,
    description:
      'The snippets that the user created, of projects too, and that the current user may see, the newest first. Null for an anonymous user.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ctx.viewer &&
      snippetPage(ctx, readableSnippets(ctx.viewer), page, belongsTo('author_id', id)),
  }),
);

builder.prismaObjectField(Snippet, 'project', (t) =>
  t.relation('project', {
    nullable: true,
    description: 'The project of the snippet; null for a personal snippet.',
  }),
);

builder.prismaObjectField(Snippet, 'canUpdate', (t) =>
  t.boolean({
    description:
      'Whether the current user may change and delete the snippet: the author, masters of its project and administrators.',
    extensions: internal,
    select: { projectId: true, authorId: true },
    resolve: async ({ projectId, authorId }, _args, ctx) => {
      const { viewer } = ctx;
      if (!viewer) return false;
      const level = projectId === null ? Access.none : (await projectById(projectId, ctx)).level;
      return canEditSnippet(viewer, level, { authorId });
    },
  }),
);

builder.objectField(ProjectAccess, 'canCreateSnippet', (t) =>
  t.boolean({
    description: 'Whether the current user may create snippets of the project.',
    extensions: internal,
    resolve: ({ project, level }, _args, { viewer }) =>
      viewer !== null && project.snippetsEnabled && canCreateSnippet(level),
  }),
);
