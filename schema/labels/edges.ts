import { canSeeGroup } from '../groups/find.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { ifVisible } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordById } from '../listing/records.ts';
import { projectById } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { labelListArgs, labelNamed, listLabelsOn } from './filter.ts';
import { homeOf } from './scope.ts';
import { Label, LabelPage } from './types.ts';

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

const named = {
  type: Label,
  nullable: true,
  complexity: statementCost,
  args: builder.args((t) => ({
    name: t.string({ required: true, description: 'The name of the label.' }),
  })),
} as const;

builder.prismaObjectField(Project, 'label', (t) =>
  t.field({
    ...named,
    description:
      'The label with this name: of the project or, if it has none, of the nearest group above it. Null if there is none, and for an anonymous user.',
    select: { id: true },
    resolve: ({ id }, { name }, ctx) =>
      ctx.viewer && labelNamed({ kind: 'project', id }, name, ctx),
  }),
);

builder.prismaObjectField(Group, 'label', (t) =>
  t.field({
    ...named,
    description:
      'The label with this name: of the group or, if it has none, of the nearest group above it. Null if there is none, and for an anonymous user.',
    select: { id: true },
    resolve: ({ id }, { name }, ctx) => ctx.viewer && labelNamed({ kind: 'group', id }, name, ctx),
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

builder.objectFields(Label, (t) => ({
  project: t.prismaField({
    type: Project,
    nullable: true,
    description:
      'The project that the label belongs to. Null for a label of a group, and if the current user may not see the project.',
    complexity: statementCost,
    resolve: async (query, { id }, _args, ctx) => {
      // Pothos reports a query that is never read
      const selection = { ...query };
      const home = await homeOf(id, ctx);
      if (home?.kind !== 'project') return null;
      const project = await ifVisible(() => projectById(home.id, ctx));
      return project && recordById(ctx, 'project', home.id, selection);
    },
  }),
  group: t.prismaField({
    type: Group,
    nullable: true,
    description:
      'The group that the label belongs to. Null for a label of a project, and if the current user may not see the group.',
    complexity: statementCost,
    resolve: async (query, { id }, _args, ctx) => {
      const selection = { ...query };
      const home = await homeOf(id, ctx);
      return home?.kind === 'group' && (await canSeeGroup(home.id, ctx))
        ? recordById(ctx, 'namespace', home.id, selection)
        : null;
    },
  }),
}));
