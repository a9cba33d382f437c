import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findReadableSource, sourceArgs } from '../projects/group-or-project.ts';
import { labelListArgs, listLabels } from './filter.ts';
import { findLabelId, showLabel } from './find.ts';
import { Label, LabelPage } from './types.ts';

builder.queryFields((t) => ({
  labels: t.field({
    type: LabelPage,
    description: 'The labels of a group or project and of the groups above it, by name.',
    extensions: internal,
    complexity: listingCost,
    args: { ...sourceArgs, ...pageArgs, ...labelListArgs },
    resolve: async (_root, { source: ref, ...args }, ctx) => {
      const { source, viewer } = await findReadableSource(ref, ctx);
      return listLabels(args, source, viewer.id, ctx);
    },
  }),
  label: t.field({
    type: Label,
    extensions: internal,
    args: {
      ...sourceArgs,
      label: t.arg.id({
        required: true,
        description:
          'The id of the label, or its name. A number is a name if no label has this id.',
      }),
    },
    resolve: async (_root, { source: ref, label }, ctx) => {
      const { source } = await findReadableSource(ref, ctx);
      return showLabel(source, await findLabelId(source, label, ctx), ctx);
    },
  }),
}));
