import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { Project } from '../projects/types.ts';
import { forkProject } from './fork.ts';
import { tieFork } from './relation.ts';

builder.mutationField('forkProject', (t) =>
  t.prismaField({
    type: Project,
    complexity: heavyCost,
    args: {
      project: t.arg.id({ required: true }),
      /** Id, full path or name; the viewer's own namespace when left out. */
      namespace: t.arg.string(),
      /** Those of the project when left out. */
      name: t.arg.string(),
      path: t.arg.string(),
    },
    resolve: async (query, _root, { project, ...wanted }, ctx) => {
      const id = await forkProject(project, given(wanted), ctx);
      const fork = await ctx.db.project.findUniqueOrThrow({ ...query, where: { id } });
      // as it was made: the job may have been faster than this answer
      return { ...fork, importStatus: 'scheduled' as const };
    },
  }),
);

builder.mutationField('createForkRelation', (t) =>
  t.prismaField({
    type: Project,
    args: {
      project: t.arg.id({ required: true }),
      forkedFrom: t.arg.id({ required: true }),
    },
    resolve: async (query, _root, { project, forkedFrom }, ctx) => {
      const id = await tieFork(project, forkedFrom, ctx);
      return ctx.db.project.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);
