import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { unexpiredRows } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { Member } from '../members/types.ts';
import { Namespace } from '../namespaces/types.ts';
import { User } from '../users/types.ts';
import { groupListArgs, listGroups } from './filter.ts';
import { canSeeGroup } from './find.ts';
import { Group, GroupPage } from './types.ts';

builder.prismaObjectFields(Group, (t) => ({
  parent: t.field({
    type: Group,
    nullable: true,
    description:
      'The group that contains this one. Null at the top level, and if the current user may not see the parent.',
    select: (_args, _ctx, nested) => ({ parentId: true, parent: nested() }),
    resolve: async ({ parentId, parent }, _args, ctx) =>
      parentId !== null && (await canSeeGroup(parentId, ctx)) ? (parent as never) : null,
  }),
  subgroups: t.field({
    type: GroupPage,
    description: 'The direct subgroups that the current user may see.',
    complexity: listingCost,
    args: { ...pageArgs, ...groupListArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) => listGroups(args, ctx, belongsTo('parent_id', id)),
  }),
}));

builder.prismaObjectFields(User, (t) => ({
  groups: t.field({
    type: GroupPage,
    nullable: true,
    description:
      'The groups with the user as a direct member that the current user may see. Null for an anonymous user.',
    complexity: listingCost,
    args: { ...pageArgs, ...groupListArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ctx.viewer &&
      listGroups(args, ctx, {
        id,
        condition: (userId) => Prisma.sql`id IN (
          SELECT members.namespace_id FROM members
          WHERE members.user_id = ${userId} AND ${unexpiredRows})`,
      }),
  }),
  namespace: t.relation('namespace', {
    nullable: true,
    description: 'The namespace of the personal projects of the user.',
  }),
}));

builder.prismaObjectField(Namespace, 'group', (t) =>
  t.field({
    type: Group,
    nullable: true,
    description:
      'The group; null for the namespace of a user, and if the current user may not see the group.',
    select: { id: true, kind: true },
    resolve: async (namespace, _args, ctx) =>
      namespace.kind === 'group' && (await canSeeGroup(namespace.id, ctx))
        ? (namespace as never)
        : null,
  }),
);

builder.prismaObjectField(Member, 'group', (t) =>
  t.relation('namespace', {
    type: Group,
    nullable: true,
    description: 'The group of the membership; null for a member of a project.',
  }),
);
