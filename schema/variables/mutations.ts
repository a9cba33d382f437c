import { builder } from '../kernel/builder.ts';
import { given } from '../kernel/given.ts';
import { done } from '../kernel/results.ts';
import { storedRecord } from '../listing/records.ts';
import { GroupOrProjectInput } from '../projects/group-or-project.ts';
import { createVariable, deleteVariable, updateVariable } from './change.ts';
import { Variable } from './types.ts';

const variableArgs = builder.args((t) => ({
  source: t.field({
    type: GroupOrProjectInput,
    required: true,
    description: 'The group or project.',
  }),
  key: t.string({ required: true, description: 'The name: letters, digits and underscores.' }),
}));

builder.mutationFields((t) => ({
  createVariable: t.prismaField({
    type: Variable,
    description:
      'Creates a variable for the jobs of a project or of all projects of a group. Requires the access level MASTER or higher.',
    args: {
      ...variableArgs,
      value: t.arg.string({ required: true, description: 'The value.' }),
      isProtected: t.arg.boolean({
        defaultValue: false,
        description: 'Whether only jobs of protected branches and tags get the variable.',
      }),
    },
    resolve: async (query, _root, { source, key, value, isProtected }, ctx) => {
      const input = { key, value, isProtected: isProtected ?? false };
      const id = await createVariable(source, input, ctx);
      return storedRecord(ctx, 'variable', id, query);
    },
  }),
  updateVariable: t.prismaField({
    type: Variable,
    description: 'Changes a variable. Requires the access level MASTER or higher.',
    args: {
      ...variableArgs,
      value: t.arg.string({ description: 'The new value.' }),
      isProtected: t.arg.boolean({
        description: 'Whether only jobs of protected branches and tags get the variable.',
      }),
    },
    resolve: async (query, _root, { source, key, ...input }, ctx) => {
      const id = await updateVariable(source, key, given(input), ctx);
      return storedRecord(ctx, 'variable', id, query);
    },
  }),
  deleteVariable: t.string({
    extensions: { payload: 'key', payloadDescription: 'The key of the deleted variable.' },
    description: 'Deletes a variable. Requires the access level MASTER or higher.',
    args: variableArgs,
    resolve: (_root, { source, key }, ctx) => done(deleteVariable(source, key, ctx), key),
  }),
}));
