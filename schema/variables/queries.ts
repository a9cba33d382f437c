import { builder } from '../kernel/builder.ts';
import { listingCost, pageArgs, rowsOf } from '../kernel/page.ts';
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
    resolve: async (_root, { source: asked, ...page }, ctx) => {
      const where = sourceColumns(await findVariableSource(asked, ctx));
      return {
        nodes: (query) =>
          ctx.db.variable.findMany({ ...query, ...rowsOf(page), where, orderBy: { id: 'asc' } }),
        total: () => ctx.db.variable.count({ where }),
      };
    },
  }),
  variable: t.prismaField({
    type: Variable,
    args: { ...sourceArgs, key: t.arg.string({ required: true }) },
    resolve: async (query, _root, { source: asked, key }, ctx) => {
      const found = await findVariableSource(asked, ctx);
      const where = { ...sourceColumns(found), key };
      const variable = await ctx.db.variable.findFirst({ ...query, where });
      if (!variable) throw variableNotFound(found);
      return variable;
    },
  }),
}));
