import { builder } from '../kernel/builder.ts';
import { done } from '../kernel/results.ts';
import { deleteAttribute, setAttribute } from './attributes.ts';
import { AttributeOwnerInput } from './find.ts';
import { CustomAttribute } from './types.ts';

const attributeArgs = builder.args((t) => ({
  owner: t.field({
    type: AttributeOwnerInput,
    required: true,
    description: 'The user, group or project.',
  }),
  key: t.string({ required: true, description: 'The key of the attribute.' }),
}));

builder.mutationFields((t) => ({
  setCustomAttribute: t.field({
    type: CustomAttribute,
    extensions: { hasParents: true },
    description:
      'Sets a custom attribute of a user, group or project; replaces its former value. Requires an administrator.',
    args: { ...attributeArgs, value: t.arg.string({ required: true, description: 'The value.' }) },
    resolve: (_root, { owner, key, value }, ctx) => setAttribute(owner, { key, value }, ctx),
  }),
  deleteCustomAttribute: t.string({
    extensions: { payload: 'key', payloadDescription: 'The key of the deleted attribute.' },
    description:
      'Deletes a custom attribute of a user, group or project. Requires an administrator.',
    args: attributeArgs,
    resolve: (_root, { owner, key }, ctx) => done(deleteAttribute(owner, key, ctx), key),
  }),
}));
