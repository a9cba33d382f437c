import { builder } from '../kernel/builder.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { containsInsensitive } from '../kernel/search.ts';
import { listingCost, offsetPage, pageArgs, rowsOf } from '../listing/page.ts';
import { sourceColumns } from '../members/members.ts';
import { findReadableSource, sourceArgs } from '../projects/group-or-project.ts';
import { Milestone, MilestonePage, MilestoneState } from './types.ts';

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
    resolve: async (_root, { source: ref, state, iids, search, ...page }, ctx) => {
      const { source } = await findReadableSource(ref, ctx);
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
      return offsetPage(
        {
          nodes: (query) =>
            ctx.db.milestone.findMany({
              ...query,
              ...rowsOf(page),
              relationLoadStrategy: 'join',
              where,
              orderBy: { id: 'desc' },
            }),
          total: () => ctx.db.milestone.count({ where }),
        },
        page,
      );
    },
  }),
  milestone: t.prismaField({
    type: Milestone,
    args: { ...sourceArgs, id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { source: ref, id }, ctx) => {
      const { source } = await findReadableSource(ref, ctx);
      const where = { id, ...sourceColumns(source) };
      const milestone = await ctx.db.milestone.findFirst({ ...query, where });
      if (!milestone) throw recordNotFound();
      return milestone;
    },
  }),
}));
