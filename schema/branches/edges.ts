import { builder } from '../kernel/builder.ts';
import { ifVisible } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { projectById } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { canProtectBranches } from './policy.ts';
import { ProtectedBranchPage } from './protected-branch.ts';
import { listProtectedBranches } from './protection.ts';

builder.prismaObjectField(Project, 'protectedBranches', (t) =>
  t.field({
    type: ProtectedBranchPage,
    description: 'The rules that protect branches, by name. Null below master.',
    nullable: true,
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ifVisible(async () => {
        await projectById(id, ctx, (_viewer, level) => canProtectBranches(level));
        return listProtectedBranches(id, page, ctx);
      }),
  }),
);
