import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { notFound } from '../kernel/errors.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { groupListArgs, listGroups } from './filter.ts';
import { groupWhere, isGroupVisible } from './find.ts';
import { Group, GroupPage } from './types.ts';

builder.queryFields((t) => ({
  group: t.prismaField({
    type: Group,
    args: { group: t.arg.id({ required: true }) },
    resolve: async (query, _root, { group: ref }, ctx) => {
      const group = await ctx.db.namespace.findFirst({
        ...query,
        relationLoadStrategy: 'join',
        where: groupWhere(ref),
      });
      if (!group || !(await isGroupVisible(group, ctx))) throw notFound('Group');
      return group;
    },
  }),
  groups: t.field({
    type: GroupPage,
    complexity: listingCost,
    args: { ...pageArgs, ...groupListArgs },
    resolve: (_root, args, ctx) => listGroups(args, ctx),
  }),
}));

/** The direct subgroups of a group. */
builder.prismaObjectField(Group, 'subgroups', (t) =>
  t.field({
    type: GroupPage,
    complexity: listingCost,
    args: { ...pageArgs, ...groupListArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) => listGroups(args, ctx, [Prisma.sql`parent_id = ${id}`]),
  }),
);
