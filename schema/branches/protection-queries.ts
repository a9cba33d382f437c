import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { storedRecord } from '../listing/records.ts';
import { ProtectedBranch, ProtectedBranchPage } from './protected-branch.ts';
import {
  findProtectableProject,
  findProtectedBranch,
  listProtectedBranches,
} from './protection.ts';

builder.queryFields((t) => ({
  protectedBranches: t.field({
    type: ProtectedBranchPage,
    description: 'The rules that protect branches of a project, by name. Masters only.',
    extensions: internal,
    complexity: listingCost,
    args: {
      ...pageArgs,
      project: t.arg.id({ required: true, description: 'The project.' }),
    },
    resolve: async (_root, { project, ...page }, ctx) => {
      const { id: projectId } = await findProtectableProject(project, ctx);
      return listProtectedBranches(projectId, page, ctx);
    },
  }),
  protectedBranch: t.prismaField({
    type: ProtectedBranch,
    extensions: internal,
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      name: t.arg.string({ required: true, description: 'The name or pattern of the rule.' }),
    },
    resolve: async (query, _root, { project, name }, ctx) => {
      const { id } = await findProtectedBranch(project, name, ctx);
      return storedRecord(ctx, 'protectedBranch', id, query);
    },
  }),
}));
