import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { listingCost, pageArgs, rowsOf } from '../kernel/page.ts';
import { containsInsensitive } from '../kernel/search.ts';
import { sourceColumns } from '../members/members.ts';
import { GroupOrProjectInput } from '../projects/group-or-project.ts';
import { findMilestoneSource } from './find.ts';
import { Milestone, MilestonePage, MilestoneState } from './types.ts';

const sourceArgs = builder.args((t) => ({
  source: t.field({ type: GroupOrProjectInput, required: true }),
}));

builder.queryFields((t) => ({
  milestones: t.field({
    type: MilestonePage,
    description: 'The milestones of a group or project itself, the newest first.',
    complexity: listingCost,
    args: {
      ...sourceArgs,
      ...pageArgs,
      state: t.arg({ type: MilestoneState }),
      iids: t.arg.intList(),
      /** Matches titles and descriptions, ignoring case. */
      search: t.arg.string(),
    },
    resolve: async (_root, { source: sourceRef, state, iids, search, ...page }, ctx) => {
      const { source } = await findMilestoneSource(sourceRef, ctx);
      const where = {
        ...sourceColumns(source),
        ...(state && { state }),
        ...(iids && { iid: { in: iids } }),
        ...(search && {
          OR: [
            { title: containsInsensitive(search) },
            { description: containsInsensitive(search) },
          ],
        }),
      };
      return {
        nodes: (query) =>
          ctx.db.milestone.findMany({
            ...query,
            ...rowsOf(page),
            relationLoadStrategy: 'join',
            where,
            orderBy: { id: 'desc' },
          }),
        total: () => ctx.db.milestone.count({ where }),
      };
    },
  }),
  milestone: t.prismaField({
    type: Milestone,
    args: { ...sourceArgs, id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { source: sourceRef, id }, ctx) => {
      const { source } = await findMilestoneSource(sourceRef, ctx);
      const where = { id, ...sourceColumns(source) };
      const milestone = await ctx.db.milestone.findFirst({ ...query, where });
      if (!milestone) throw recordNotFound();
      return milestone;
    },
  }),
}));
