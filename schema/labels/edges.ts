import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { Project } from '../projects/types.ts';
import { labelListArgs, listLabelsOn } from './filter.ts';
import { LabelPage } from './types.ts';

const edge = {
  type: LabelPage,
  nullable: true,
  complexity: listingCost,
  args: { ...pageArgs, ...labelListArgs },
} as const;

builder.prismaObjectField(Project, 'labels', (t) =>
  t.field({
    ...edge,
    description:
      'The labels of the project and of the groups above it, by name. Null for an anonymous user.',
    select: { id: true },
    resolve: ({ id }, args, ctx) => ctx.viewer && listLabelsOn({ kind: 'project', id }, args, ctx),
  }),
);

builder.prismaObjectField(Group, 'labels', (t) =>
  t.field({
    ...edge,
    description:
      'The labels of the group and of the groups above it, by name. Null for an anonymous user.',
    select: { id: true },
    resolve: ({ id }, args, ctx) => ctx.viewer && listLabelsOn({ kind: 'group', id }, args, ctx),
  }),
);
