import type { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { defineNode } from '../kernel/nodes.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findRecord } from '../listing/records.ts';
import { listProjects, projectListArgs } from './filter.ts';
import { isProjectVisible, levelSelection, projectCondition } from './find.ts';
import { Project, ProjectPage } from './types.ts';

builder.queryFields((t) => ({
  project: t.prismaField({
    type: Project,
    description: 'A project that the current user may see.',
    args: {
      id: t.arg.id({ required: true, description: 'The project, e.g. `tools/app`.' }),
    },
    resolve: (query, _root, { id }, ctx) => projectRecord(query, projectCondition(id), ctx),
  }),
  projects: t.field({
    type: ProjectPage,
    description: 'The projects that the current user may see.',
    complexity: listingCost,
    args: { ...pageArgs, ...projectListArgs },
    resolve: (_root, args, ctx) => listProjects(args, ctx),
  }),
}));

defineNode('Project', (query, id, ctx) => projectRecord(query, projectCondition(String(id)), ctx));

/** The project if the viewer may see it; `query` is the document's selection. */
async function projectRecord(
  query: object,
  condition: Prisma.Sql,
  ctx: Pick<Context, 'db' | 'viewer'>,
) {
  const { viewer } = ctx;
  const project = await findRecord(ctx, {
    model: 'project',
    query: withLevel(query, viewer),
    condition,
  });
  if (!project || !isProjectVisible(viewer, project)) throw notFound('Project');
  return project;
}

/** The document's selection, plus the fields needed for the access check. */
function withLevel(query: object, viewer: Viewer | null) {
  const { namespace, members, groupLinks } = levelSelection(viewer);
  const selected = (query as { readonly include?: object }).include;
  return { include: { namespace, members, groupLinks, ...selected } };
}
