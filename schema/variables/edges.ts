import { levelInGroup } from '../groups/find.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { ifVisible } from '../kernel/results.ts';
import { firstVisible, listingCost, pageArgs } from '../listing/page.ts';
import { projectById } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { listVariables } from './listing.ts';
import { canManageVariables } from './policy.ts';
import { Variable, VariablePage } from './types.ts';

const edge = {
  type: VariablePage,
  nullable: true,
  complexity: listingCost,
  args: pageArgs,
} as const;

builder.prismaObjectField(Project, 'variables', (t) =>
  t.field({
    ...edge,
    description:
      'The variables of the project, the oldest first; those of its groups are not listed. Null for a user below the level of a master.',
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ifVisible(async () => {
        await projectById(id, ctx, (_viewer, level) => canManageVariables(level));
        return listVariables({ kind: 'project', id }, page, ctx);
      }),
  }),
);

const keyArgs = builder.args((t) => ({
  key: t.string({ required: true, description: 'The name of the variable.' }),
}));

builder.prismaObjectField(Project, 'variable', (t) =>
  t.prismaField({
    type: Variable,
    nullable: true,
    description:
      'A variable of the project itself. Null if it does not exist, and for a user below the level of a master.',
    complexity: statementCost,
    args: keyArgs,
    resolve: (query, { id }, { key }, ctx, info) =>
      firstVisible(query, info, async () => {
        await projectById(id, ctx, (_viewer, level) => canManageVariables(level));
        return listVariables({ kind: 'project', id }, { key, perPage: 1 }, ctx);
      }),
  }),
);

builder.prismaObjectField(Group, 'variable', (t) =>
  t.prismaField({
    type: Variable,
    nullable: true,
    description:
      'A variable of the group itself. Null if it does not exist, and for a user below the level of a master.',
    complexity: statementCost,
    args: keyArgs,
    resolve: (query, { id, ancestorIds }, { key }, ctx, info) =>
      firstVisible(query, info, async () =>
        canManageVariables(levelInGroup(ctx.viewer, { ancestorIds }))
          ? listVariables({ kind: 'group', id }, { key, perPage: 1 }, ctx)
          : null,
      ),
  }),
);

builder.prismaObjectField(Group, 'variables', (t) =>
  t.field({
    ...edge,
    description:
      'The variables of the group, the oldest first. Null for a user below the level of a master.',
    select: { id: true, ancestorIds: true },
    resolve: ({ id, ancestorIds }, page, ctx) =>
      canManageVariables(levelInGroup(ctx.viewer, { ancestorIds }))
        ? listVariables({ kind: 'group', id }, page, ctx)
        : null,
  }),
);
