import { builder } from '../kernel/builder.ts';
import { notFound } from '../kernel/errors.ts';
import { listingCost, pageArgs } from '../kernel/page.ts';
import { byIdOrPath } from '../kernel/reference.ts';
import { listProjects, projectListArgs } from './filter.ts';
import { visibleProjects } from './find.ts';
import { Project, ProjectPage } from './types.ts';

builder.queryField('project', (t) =>
  t.prismaField({
    type: Project,
    args: { project: t.arg.id({ required: true }) },
    resolve: async (query, _root, { project: ref }, { db, viewer }) => {
      const project = await db.project.findFirst({
        ...query,
        relationLoadStrategy: 'join',
        where: { AND: [byIdOrPath(ref), visibleProjects(viewer)] },
      });
      if (!project) throw notFound('Project');
      return project;
    },
  }),
);

builder.queryField('projects', (t) =>
  t.field({
    type: ProjectPage,
    complexity: listingCost,
    args: { ...pageArgs, ...projectListArgs },
    resolve: (_root, args, ctx) => listProjects(args, ctx),
  }),
);
