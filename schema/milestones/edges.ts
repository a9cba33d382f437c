import { Prisma } from '../../prisma/client.ts';
import { canSeeGroup } from '../groups/find.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { belongsTo } from '../listing/listing.ts';
import { firstVisible, listingCost, pageArgs } from '../listing/page.ts';
import { Project } from '../projects/types.ts';
import { listMilestones, milestoneListArgs } from './filter.ts';
import { Milestone, MilestonePage } from './types.ts';

const edge = {
  type: MilestonePage,
  nullable: true,
  complexity: listingCost,
  args: { ...pageArgs, ...milestoneListArgs },
} as const;

builder.prismaObjectField(Project, 'milestones', (t) =>
  t.field({
    ...edge,
    description:
      'The milestones of the project itself, the newest first. Null for an anonymous user.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ctx.viewer && listMilestones(args, ctx, [], belongsTo('project_id', id)),
  }),
);

builder.prismaObjectField(Project, 'milestone', (t) =>
  t.prismaField({
    type: Milestone,
    nullable: true,
    description:
      'A milestone of the project itself. Null if there is none with this number, and for an anonymous user.',
    complexity: statementCost,
    args: {
      iid: t.arg.int({
        required: true,
        description: 'The number of the milestone in the project.',
      }),
    },
    resolve: (query, { id }, { iid }, ctx, info) =>
      firstVisible(query, info, async () => {
        if (!ctx.viewer) return null;
        const scope = [Prisma.sql`iid = ${iid}`];
        return listMilestones({ perPage: 1 }, ctx, scope, belongsTo('project_id', id));
      }),
  }),
);

builder.prismaObjectField(Group, 'milestones', (t) =>
  t.field({
    ...edge,
    description:
      'The milestones of the group itself, the newest first. Null for an anonymous user.',
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ctx.viewer && listMilestones(args, ctx, [], belongsTo('namespace_id', id)),
  }),
);

builder.prismaObjectField(Group, 'milestone', (t) =>
  t.prismaField({
    type: Milestone,
    nullable: true,
    description:
      'A milestone of the group itself. Null if there is none with this number, and for an anonymous user.',
    complexity: statementCost,
    args: {
      iid: t.arg.int({ required: true, description: 'The number of the milestone in the group.' }),
    },
    resolve: (query, { id }, { iid }, ctx, info) =>
      firstVisible(query, info, async () => {
        if (!ctx.viewer) return null;
        const scope = [Prisma.sql`iid = ${iid}`];
        return listMilestones({ perPage: 1 }, ctx, scope, belongsTo('namespace_id', id));
      }),
  }),
);

builder.prismaObjectFields(Milestone, (t) => ({
  project: t.relation('project', {
    nullable: true,
    description: 'The project of the milestone; null for a milestone of a group.',
  }),
  group: t.field({
    type: Group,
    nullable: true,
    description:
      'The group of the milestone; null for a milestone of a project, and if the current user may not see the group.',
    select: (_args, _ctx, nested) => ({ namespaceId: true, namespace: nested() }),
    resolve: async ({ namespaceId, namespace }, _args, ctx) =>
      namespaceId !== null && (await canSeeGroup(namespaceId, ctx)) ? (namespace as never) : null,
  }),
}));
