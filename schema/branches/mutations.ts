import { builder } from '../kernel/builder.ts';
import { heavyCost, walkCost } from '../kernel/cost.ts';
import { done } from '../kernel/results.ts';
import { createBranch } from './create.ts';
import { removeBranch, removeMergedBranches } from './remove.ts';
import { Branch } from './types.ts';

builder.mutationFields((t) => ({
  createBranch: t.field({
    type: Branch,
    complexity: walkCost,
    args: {
      project: t.arg.id({ required: true }),
      name: t.arg.string({ required: true }),
      /** A branch, a tag or a commit. */
      ref: t.arg.string({ required: true }),
    },
    resolve: (_root, { project, name, ref }, ctx) => createBranch(project, name, ref, ctx),
  }),
  deleteBranch: t.boolean({
    complexity: walkCost,
    args: { project: t.arg.id({ required: true }), name: t.arg.string({ required: true }) },
    resolve: (_root, { project, name }, ctx) => done(removeBranch(project, name, ctx)),
  }),
  deleteMergedBranches: t.boolean({
    description: 'Removes what the default branch has taken in, except for protected branches.',
    complexity: heavyCost,
    args: { project: t.arg.id({ required: true }) },
    resolve: (_root, { project }, ctx) => done(removeMergedBranches(project, ctx)),
  }),
}));
