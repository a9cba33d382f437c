import { Prisma } from '../../prisma/client.ts';
import { findGroup, visibleGroups } from '../groups/find.ts';
import { groupsBelowOne } from '../groups/reach.ts';
import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { allOf, anyOf } from '../kernel/sql.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { sourceColumns } from '../members/members.ts';
import { visibleProjects } from '../projects/find.ts';
import { findReadableSource, sourceArgs } from '../projects/group-or-project.ts';
import { ofProjectsBelow } from '../projects/of-projects-below.ts';
import { listMilestones, milestoneListArgs } from './filter.ts';
import { Milestone, MilestonePage } from './types.ts';

builder.queryFields((t) => ({
  milestones: t.field({
    type: MilestonePage,
    description: 'The milestones of a group or project itself, the newest first.',
    extensions: internal,
    complexity: listingCost,
    args: { ...sourceArgs, ...pageArgs, ...milestoneListArgs },
    resolve: async (_root, { source: ref, ...args }, ctx) => {
      const { source } = await findReadableSource(ref, ctx);
      const column = source.kind === 'group' ? 'namespace_id' : 'project_id';
      return listMilestones(args, ctx, [], belongsTo(column, source.id));
    },
  }),
  groupMilestones: t.field({
    type: MilestonePage,
    description:
      'The milestones of a group, and of the groups and projects at any depth below it, that the current user may see, the newest first.',
    extensions: internal,
    complexity: listingCost,
    args: { ...pageArgs, ...milestoneListArgs, group: t.arg.id({ required: true }) },
    resolve: async (_root, { group, ...args }, ctx) => {
      const viewer = signedIn(ctx);
      const { id } = await findGroup(group, ctx);
      const groups = allOf([
        Prisma.sql`id IN (${groupsBelowOne(Prisma.sql`${id}`)})`,
        visibleGroups(viewer),
      ]);
      const visible = allOf([Prisma.sql`NOT is_removed`, visibleProjects(viewer)]);
      const below = anyOf([
        Prisma.sql`namespace_id IN (SELECT id FROM namespaces WHERE ${groups})`,
        await ofProjectsBelow(id, visible, ctx),
      ]);
      return listMilestones(args, ctx, [below]);
    },
  }),
  milestone: t.prismaField({
    type: Milestone,
    description:
      'A milestone of a group or project itself. NOT_FOUND if the current user may not see the group or project.',
    extensions: internal,
    args: {
      ...sourceArgs,
      id: t.arg.int({ required: true, description: 'The id of the milestone.' }),
    },
    resolve: async (query, _root, { source: ref, id }, ctx) => {
      const { source } = await findReadableSource(ref, ctx);
      const where = { id, ...sourceColumns(source) };
      const milestone = await ctx.db.milestone.findFirst({ ...query, where });
      if (!milestone) throw recordNotFound();
      return milestone;
    },
  }),
}));
