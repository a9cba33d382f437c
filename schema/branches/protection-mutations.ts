import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { done } from '../kernel/results.ts';
import {
  createProtectedBranch,
  deleteProtectedBranch,
  protectBranch,
  unprotectBranch,
} from './protect.ts';
import { ProtectedBranch } from './protected-branch.ts';
import { Branch } from './types.ts';

const branchArgs = builder.args((t) => ({
  project: t.id({ required: true }),
  name: t.string({ required: true }),
}));

builder.mutationFields((t) => ({
  protectBranch: t.field({
    type: Branch,
    description: 'Protects a branch, or changes how; what is left out stays as it is.',
    args: {
      ...branchArgs,
      developersCanPush: t.arg.boolean(),
      developersCanMerge: t.arg.boolean(),
    },
    resolve: (_root, { project, name, ...rights }, ctx) =>
      protectBranch(project, name, rights, ctx),
  }),
  unprotectBranch: t.field({
    type: Branch,
    args: branchArgs,
    resolve: (_root, { project, name }, ctx) => unprotectBranch(project, name, ctx),
  }),
  createProtectedBranch: t.prismaField({
    type: ProtectedBranch,
    description: 'Protects all branches that are called so; `*` stands for anything.',
    args: {
      ...branchArgs,
      /** 0 for no one, 30 or 40. */
      pushAccessLevel: t.arg.int({ defaultValue: Access.master }),
      /** 0 for no one, 30 or 40. */
      mergeAccessLevel: t.arg.int({ defaultValue: Access.master }),
    },
    resolve: async (query, _root, { project, name, pushAccessLevel, mergeAccessLevel }, ctx) => {
      const input = {
        name,
        pushAccessLevel: pushAccessLevel ?? Access.master,
        mergeAccessLevel: mergeAccessLevel ?? Access.master,
      };
      const id = await createProtectedBranch(project, input, ctx);
      return ctx.db.protectedBranch.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  deleteProtectedBranch: t.boolean({
    args: branchArgs,
    resolve: (_root, { project, name }, ctx) => done(deleteProtectedBranch(project, name, ctx)),
  }),
}));
