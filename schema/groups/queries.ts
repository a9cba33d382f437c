import { builder } from '../kernel/builder.ts';
import { notFound } from '../kernel/errors.ts';
import { listingCost, pageArgs } from '../kernel/page.ts';
import { byIdOrPath } from '../kernel/reference.ts';
import { groupListArgs, listGroups } from './filter.ts';
import { visibleGroups } from './find.ts';
import { Group, GroupPage } from './types.ts';

builder.queryField('group', (t) =>
  t.prismaField({
    type: Group,
    args: { group: t.arg.id({ required: true }) },
    resolve: async (query, _root, { group: ref }, { db, viewer }) => {
      const group = await db.namespace.findFirst({
        ...query,
        relationLoadStrategy: 'join',
        where: { AND: [byIdOrPath(ref), visibleGroups(viewer)] },
      });
      if (!group) throw notFound('Group');
      return group;
    },
  }),
);

builder.queryField('groups', (t) =>
  t.field({
    type: GroupPage,
    complexity: listingCost,
    args: { ...pageArgs, ...groupListArgs },
    resolve: (_root, args, ctx) => listGroups(args, ctx),
  }),
);

/** The groups directly in a group. */
builder.prismaObjectField(Group, 'subgroups', (t) =>
  t.field({
    type: GroupPage,
    complexity: listingCost,
    args: { ...pageArgs, ...groupListArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) => listGroups(args, ctx, { parentId: id }),
  }),
);
