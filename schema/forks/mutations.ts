import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { given } from '../kernel/given.ts';
import { storedRecord } from '../listing/records.ts';
import { Project } from '../projects/types.ts';
import { forkProject } from './fork.ts';
import { createForkRelation } from './relation.ts';

builder.mutationFields((t) => ({
  forkProject: t.prismaField({
    type: Project,
    complexity: heavyCost,
    description:
      'Creates a fork of a project; a background job copies the repository. Users who can read the code and create projects in the namespace.',
    args: {
      project: t.arg.id({
        required: true,
        description: 'The project to fork.',
      }),
      namespace: t.arg.id({
        description:
          'The id, full path or name of the namespace of the fork; null for the personal namespace of the current user.',
      }),
      name: t.arg.string({ description: 'The name of the fork; null for that of the project.' }),
      path: t.arg.string({
        description: 'The last part of the full path of the fork; null for that of the project.',
      }),
    },
    resolve: async (query, _root, { project, ...input }, ctx) => {
      const id = await forkProject(project, given(input), ctx);
      const fork = await storedRecord(ctx, 'project', id, query);
      // the state at creation: the job may already have changed it
      return { ...fork, importStatus: 'scheduled' as const };
    },
  }),
  createForkRelation: t.prismaField({
    type: Project,
    description: 'Declares a project to be a fork of another one. Requires an administrator.',
    args: {
      project: t.arg.id({
        required: true,
        description: 'The project that becomes a fork.',
      }),
      forkedFrom: t.arg.id({
        required: true,
        description: 'The project it was forked from.',
      }),
    },
    resolve: async (query, _root, { project, forkedFrom }, ctx) => {
      const id = await createForkRelation(project, forkedFrom, ctx);
      return storedRecord(ctx, 'project', id, query);
    },
  }),
}));
