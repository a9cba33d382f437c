import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { sourceColumns } from '../members/members.ts';
import { findReadableSource, sourceArgs } from '../projects/group-or-project.ts';
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
