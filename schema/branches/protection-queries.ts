import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import { ProtectedBranch, ProtectedBranchPage } from './protected-branch.ts';
import { findProtectableProject, findProtectedBranch } from './protection.ts';

builder.queryFields((t) => ({
  protectedBranches: t.field({
    type: ProtectedBranchPage,
    description: 'The rules on a project’s branches by name; masters.',
    complexity: listingCost,
    args: { ...pageArgs, project: t.arg.id({ required: true }) },
    resolve: async (_root, { project, ...page }, ctx) => {
      const { id: projectId } = await findProtectableProject(project, ctx);
      return recordPage(
        ctx.db.protectedBranch,
        { where: { projectId }, orderBy: [{ name: 'asc' }, { id: 'asc' }] },
        page,
      );
    },
  }),
  protectedBranch: t.prismaField({
    type: ProtectedBranch,
    args: { project: t.arg.id({ required: true }), name: t.arg.string({ required: true }) },
    resolve: async (query, _root, { project, name }, ctx) => {
      const { id } = await findProtectedBranch(project, name, ctx);
      return ctx.db.protectedBranch.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
}));
