import { canSeeGroup } from '../groups/find.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
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
