import { builder } from '../kernel/builder.ts';
import { heavyCost, walkCost } from '../kernel/cost.ts';
import { done } from '../kernel/results.ts';
import { storedRecord } from '../listing/records.ts';
import { Project } from '../projects/types.ts';
import { createBranch } from './create.ts';
import { removeBranch, removeMergedBranches } from './remove.ts';
import { Branch } from './types.ts';

builder.mutationFields((t) => ({
  createBranch: t.field({
    type: Branch,
    complexity: walkCost,
    description: 'Creates a branch. Requires the access level DEVELOPER or higher.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      name: t.arg.string({ required: true, description: 'The name of the branch.' }),
      ref: t.arg.string({
        required: true,
        description: 'The name of a branch or tag, or the id of a commit.',
      }),
    },
    resolve: (_root, { project, name, ref }, ctx) => createBranch(project, name, ref, ctx),
  }),
  deleteBranch: t.string({
    extensions: { payload: 'name', payloadDescription: 'The name of the deleted branch.' },
    complexity: walkCost,
    description:
      'Deletes a branch other than the default branch. Requires the access level DEVELOPER or higher, and MASTER for a protected branch.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      name: t.arg.string({ required: true, description: 'The name of the branch.' }),
    },
    resolve: (_root, { project, name }, ctx) => done(removeBranch(project, name, ctx), name),
  }),
  deleteMergedBranches: t.prismaField({
    type: Project,
    description:
      'Deletes all branches that are merged into the default branch, except for protected ones. Requires the access level DEVELOPER or higher.',
    complexity: heavyCost,
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
    },
    resolve: async (query, _root, { project }, ctx) => {
      const id = await removeMergedBranches(project, ctx);
      return storedRecord(ctx, 'project', id, query);
    },
  }),
}));
