import { builder } from '../kernel/builder.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import { sourceColumns } from '../members/members.ts';
import { GroupOrProjectInput } from '../projects/group-or-project.ts';
import { findVariableSource, variableNotFound } from './find.ts';
import { Variable, VariablePage } from './types.ts';

const sourceArgs = builder.args((t) => ({
  source: t.field({ type: GroupOrProjectInput, required: true }),
}));

builder.queryFields((t) => ({
  variables: t.field({
    type: VariablePage,
    description: 'The variables of a group or project, the oldest first; masters.',
    complexity: listingCost,
    args: { ...sourceArgs, ...pageArgs },
    resolve: async (_root, { source: ref, ...page }, ctx) => {
      const where = sourceColumns(await findVariableSource(ref, ctx));
      return recordPage(ctx.db.variable, { where, orderBy: { id: 'asc' } }, page);
    },
  }),
  variable: t.prismaField({
    type: Variable,
    args: { ...sourceArgs, key: t.arg.string({ required: true }) },
    resolve: async (query, _root, { source: ref, key }, ctx) => {
      const source = await findVariableSource(ref, ctx);
      const where = { ...sourceColumns(source), key };
      return orThrow(ctx.db.variable.findFirst({ ...query, where }), () =>
        variableNotFound(source),
      );
    },
  }),
}));
