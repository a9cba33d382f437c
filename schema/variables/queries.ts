import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { sourceColumns } from '../members/members.ts';
import { GroupOrProjectInput } from '../projects/group-or-project.ts';
import { findVariableSource, variableNotFound } from './find.ts';
import { listVariables } from './listing.ts';
import { Variable, VariablePage } from './types.ts';

const sourceArgs = builder.args((t) => ({
  source: t.field({
    type: GroupOrProjectInput,
    required: true,
    description: 'The group or project of the variables.',
  }),
}));

builder.queryFields((t) => ({
  variables: t.field({
    type: VariablePage,
    extensions: internal,
    description: 'The variables of a group or project, the oldest first. Masters only.',
    complexity: listingCost,
    args: { ...sourceArgs, ...pageArgs },
    resolve: async (_root, { source: ref, ...page }, ctx) =>
      listVariables(await findVariableSource(ref, ctx), page, ctx),
  }),
  variable: t.prismaField({
    type: Variable,
    extensions: internal,
    args: {
      ...sourceArgs,
      key: t.arg.string({ required: true, description: 'The name of the variable.' }),
    },
    resolve: async (query, _root, { source: ref, key }, ctx) => {
      const source = await findVariableSource(ref, ctx);
      const where = { ...sourceColumns(source), key };
      return orThrow(ctx.db.variable.findFirst({ ...query, where }), () =>
        variableNotFound(source),
      );
    },
  }),
}));
