import { builder } from '../kernel/builder.ts';
import { containsInsensitive } from '../kernel/search.ts';
import { lazyPage, listingCost, pageArgs, rowsOf } from '../listing/page.ts';
import { findReadableSource, sourceArgs } from '../projects/group-or-project.ts';
import { findLabelId, labelsOf, showLabel, sourceLabel, sourceLabelSelection } from './find.ts';
import { SourceLabel, SourceLabelPage } from './types.ts';

builder.queryFields((t) => ({
  labels: t.field({
    type: SourceLabelPage,
    description: 'The labels of a group or project and of the groups above it, by name.',
    complexity: listingCost,
    args: {
      ...sourceArgs,
      ...pageArgs,
      /** Matches names, ignoring case. */
      search: t.arg.string(),
    },
    resolve: async (_root, { source: ref, search, ...page }, ctx) => {
      const { source, viewer } = await findReadableSource(ref, ctx);
      const where = { ...labelsOf(source), ...(search && { name: containsInsensitive(search) }) };
      return lazyPage(
        {
          nodes: async () => {
            const labels = await ctx.db.label.findMany({
              ...rowsOf(page),
              relationLoadStrategy: 'join',
              where,
              select: sourceLabelSelection(source, viewer),
              orderBy: [{ name: 'asc' }, { id: 'asc' }],
            });
            return labels.map((label) => sourceLabel(label, source));
          },
          total: () => ctx.db.label.count({ where }),
        },
        page,
      );
    },
  }),
  label: t.field({
    type: SourceLabel,
    args: {
      ...sourceArgs,
      /** An id or a name. */
      label: t.arg.id({ required: true }),
    },
    resolve: async (_root, { source: ref, label }, ctx) => {
      const { source } = await findReadableSource(ref, ctx);
      return showLabel(source, await findLabelId(source, label, ctx), ctx);
    },
  }),
}));
