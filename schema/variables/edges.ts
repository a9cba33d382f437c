import { levelInGroup } from '../groups/find.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { ifVisible } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { projectById } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { listVariables } from './listing.ts';
import { canManageVariables } from './policy.ts';
import { VariablePage } from './types.ts';

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
