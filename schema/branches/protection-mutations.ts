import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { storedRecord } from '../listing/records.ts';
import {
  createProtectedBranch,
  deleteProtectedBranch,
  protectBranch,
  unprotectBranch,
  updateProtectedBranch,
} from './protect.ts';
import { ProtectedBranch } from './protected-branch.ts';
import { Branch } from './types.ts';

const branchArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  name: t.string({
    required: true,
    description: 'The name of the branch; for protection rules `*` stands for any text.',
  }),
}));

builder.mutationFields((t) => ({
  protectBranch: t.field({
    type: Branch,
    extensions: internal,
    args: {
      ...branchArgs,
      developersCanPush: t.arg.boolean({
        description:
          'Whether developers may push. If it is absent, nothing changes; default of a new protection: false.',
      }),
      developersCanMerge: t.arg.boolean({
        description:
          'Whether developers may merge. If it is absent, nothing changes; default of a new protection: false.',
      }),
    },
    resolve: (_root, { project, name, ...rights }, ctx) =>
      protectBranch(project, name, rights, ctx),
  }),
  unprotectBranch: t.field({
    type: Branch,
    extensions: internal,
    args: branchArgs,
    resolve: (_root, { project, name }, ctx) => unprotectBranch(project, name, ctx),
  }),
  createProtectedBranch: t.prismaField({
    type: ProtectedBranch,
    description:
      'Creates a protection rule for all branches whose names match. Requires the access level MASTER or higher.',
    args: {
      ...branchArgs,
      pushAccessLevel: t.arg.int({
        defaultValue: Access.master,
        description: 'The lowest level that may push: no access, developers or masters.',
      }),
      mergeAccessLevel: t.arg.int({
        defaultValue: Access.master,
        description: 'The lowest level that may merge: no access, developers or masters.',
      }),
    },
    resolve: async (query, _root, { project, name, pushAccessLevel, mergeAccessLevel }, ctx) => {
      const input = {
        name,
        pushAccessLevel: pushAccessLevel ?? Access.master,
        mergeAccessLevel: mergeAccessLevel ?? Access.master,
      };
      const id = await createProtectedBranch(project, input, ctx);
      return storedRecord(ctx, 'protectedBranch', id, query);
    },
  }),
  updateProtectedBranch: t.prismaField({
    type: ProtectedBranch,
    description:
      'Changes a protection rule; fields that are left out stay as they are. Requires the access level MASTER or higher.',
    args: {
      ...branchArgs,
      pushAccessLevel: t.arg.int({
        description: 'The lowest level that may push: no access, developers or masters.',
      }),
      mergeAccessLevel: t.arg.int({
        description: 'The lowest level that may merge: no access, developers or masters.',
      }),
    },
    resolve: async (query, _root, { project, name, ...levels }, ctx) => {
      const id = await updateProtectedBranch(project, name, levels, ctx);
      return storedRecord(ctx, 'protectedBranch', id, query);
    },
  }),
  deleteProtectedBranch: t.string({
    extensions: { payload: 'name', payloadDescription: 'The name or pattern of the deleted rule.' },
    description: 'Deletes a protection rule. Requires the access level MASTER or higher.',
    args: branchArgs,
    resolve: (_root, { project, name }, ctx) =>
      done(deleteProtectedBranch(project, name, ctx), name),
  }),
}));
