import { builder } from '../kernel/builder.ts';
import { notFound } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { listProjects, projectListArgs } from './filter.ts';
import { isProjectVisible, levelSelection, projectWhere } from './find.ts';
import { Project, ProjectPage } from './types.ts';

builder.queryFields((t) => ({
  project: t.prismaField({
    type: Project,
    args: { project: t.arg.id({ required: true }) },
    resolve: async (query, _root, { project: ref }, { db, viewer }) => {
      const project = await db.project.findFirst({
        ...withLevel(query, viewer),
        relationLoadStrategy: 'join',
        where: projectWhere(ref),
      });
      if (!project || !isProjectVisible(viewer, project)) throw notFound('Project');
      return project;
    },
  }),
  projects: t.field({
    type: ProjectPage,
    complexity: listingCost,
    args: { ...pageArgs, ...projectListArgs },
    resolve: (_root, args, ctx) => listProjects(args, ctx),
  }),
}));

/** The document's selection, plus the fields needed for the access check. */
function withLevel(query: object, viewer: Viewer | null) {
  const { namespace, members, groupLinks } = levelSelection(viewer);
  const selected = (query as { readonly include?: object }).include;
  return { include: { namespace, members, groupLinks, ...selected } };
}
