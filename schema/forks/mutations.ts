import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { Project } from '../projects/types.ts';
import { forkProject } from './fork.ts';
import { createForkRelation } from './relation.ts';

builder.mutationFields((t) => ({
  forkProject: t.prismaField({
    type: Project,
    complexity: heavyCost,
    args: {
      project: t.arg.id({ required: true }),
      /** Id, full path or name; defaults to the viewer's own namespace. */
      namespace: t.arg.string(),
      /** Name and path default to the project's. */
      name: t.arg.string(),
      path: t.arg.string(),
    },
    resolve: async (query, _root, { project, ...input }, ctx) => {
      const id = await forkProject(project, given(input), ctx);
      const fork = await ctx.db.project.findUniqueOrThrow({ ...query, where: { id } });
      // the state at creation: the job may already have changed it
      return { ...fork, importStatus: 'scheduled' as const };
    },
  }),
  createForkRelation: t.prismaField({
    type: Project,
    args: {
      project: t.arg.id({ required: true }),
      forkedFrom: t.arg.id({ required: true }),
    },
    resolve: async (query, _root, { project, forkedFrom }, ctx) => {
      const id = await createForkRelation(project, forkedFrom, ctx);
      return ctx.db.project.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
}));
