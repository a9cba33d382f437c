import { builder } from '../kernel/builder.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
import { GroupOrProjectInput } from '../projects/group-or-project.ts';
import { createVariable, deleteVariable, updateVariable } from './change.ts';
import { Variable } from './types.ts';

const variableArgs = builder.args((t) => ({
  source: t.field({ type: GroupOrProjectInput, required: true }),
  key: t.string({ required: true }),
}));

builder.mutationFields((t) => ({
  createVariable: t.prismaField({
    type: Variable,
    args: {
      ...variableArgs,
      value: t.arg.string({ required: true }),
      isProtected: t.arg.boolean({ defaultValue: false }),
    },
    resolve: async (query, _root, { source, key, value, isProtected }, ctx) => {
      const input = { key, value, isProtected: isProtected ?? false };
      const id = await createVariable(source, input, ctx);
      return ctx.db.variable.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  updateVariable: t.prismaField({
    type: Variable,
    description: 'Changes a value, or what finds it; what is left out stays as it is.',
    args: { ...variableArgs, value: t.arg.string(), isProtected: t.arg.boolean() },
    resolve: async (query, _root, { source, key, ...input }, ctx) => {
      const id = await updateVariable(source, key, given(input), ctx);
      return ctx.db.variable.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  deleteVariable: t.boolean({
    args: variableArgs,
    resolve: (_root, { source, key }, ctx) => done(deleteVariable(source, key, ctx)),
  }),
}));
