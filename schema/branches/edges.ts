import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { ifVisible } from '../kernel/results.ts';
import { firstVisible, listingCost, pageArgs } from '../listing/page.ts';
import { projectById } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { canProtectBranches } from './policy.ts';
import { ProtectedBranch, ProtectedBranchPage } from './protected-branch.ts';
import { listProtectedBranches } from './protection.ts';

builder.prismaObjectField(Project, 'protectedBranches', (t) =>
  t.field({
    type: ProtectedBranchPage,
    description:
      'The rules that protect branches, by name. Null for a user below the level of a master.',
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

builder.prismaObjectField(Project, 'protectedBranch', (t) =>
  t.prismaField({
    type: ProtectedBranch,
    nullable: true,
    description:
      'The rule with this name that protects branches. Null if there is none, and for a user below the level of a master.',
    complexity: statementCost,
    args: {
      name: t.arg.string({ required: true, description: 'The name or pattern of the rule.' }),
    },
    resolve: (query, { id }, { name }, ctx, info) =>
      firstVisible(query, info, async () => {
        await projectById(id, ctx, (_viewer, level) => canProtectBranches(level));
        return listProtectedBranches(id, { name, perPage: 1 }, ctx);
      }),
  }),
);
