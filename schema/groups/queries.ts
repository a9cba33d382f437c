import type { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { defineNode } from '../kernel/nodes.ts';
import { internal } from '../kernel/public.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { groupListArgs, listGroups } from './filter.ts';
import { groupWhere, isGroupVisible } from './find.ts';
import { canCreateGroup } from './policy.ts';
import { Group, GroupPage } from './types.ts';

builder.queryFields((t) => ({
  group: t.prismaField({
    type: Group,
    description: 'A group that the current user may see.',
    args: {
      id: t.arg.id({ required: true, description: 'The group, e.g. `tools/ci`.' }),
    },
    resolve: (query, _root, { id }, ctx) => groupRecord(query, groupWhere(id), ctx),
  }),
  canCreateGroups: t.boolean({
    extensions: internal,
    description: 'Whether the current user may create top-level groups.',
    resolve: (_root, _args, { viewer }) => viewer !== null && canCreateGroup(viewer),
  }),
  groups: t.field({
    type: GroupPage,
    description: 'The groups that the current user may see, on all levels.',
    complexity: listingCost,
    args: { ...pageArgs, ...groupListArgs },
    resolve: (_root, args, ctx) => listGroups(args, ctx),
  }),
}));

defineNode('Group', (query, id, ctx) => groupRecord(query, groupWhere(String(id)), ctx));

/** The group if the viewer may see it; `query` is the document's selection. */
async function groupRecord(
  query: object,
  where: Prisma.NamespaceWhereInput,
  ctx: Pick<Context, 'db' | 'viewer'>,
) {
  const group = await ctx.db.namespace.findFirst({
    ...query,
    relationLoadStrategy: 'join',
    where,
  });
  if (!group || !(await isGroupVisible(group, ctx))) throw notFound('Group');
  return group;
}
