import { builder } from '../kernel/builder.ts';
import { done } from '../kernel/results.ts';
import { deleteAttribute, setAttribute } from './attributes.ts';
import { AttributeOwnerInput } from './find.ts';
import { CustomAttribute } from './types.ts';

const attributeArgs = builder.args((t) => ({
  owner: t.field({ type: AttributeOwnerInput, required: true }),
  key: t.string({ required: true }),
}));

builder.mutationFields((t) => ({
  setCustomAttribute: t.field({
    type: CustomAttribute,
    description: 'Notes a value under a key, in place of what was there.',
    args: { ...attributeArgs, value: t.arg.string({ required: true }) },
    resolve: (_root, { owner, key, value }, ctx) => setAttribute(owner, { key, value }, ctx),
  }),
  deleteCustomAttribute: t.boolean({
    args: attributeArgs,
    resolve: (_root, { owner, key }, ctx) => done(deleteAttribute(owner, key, ctx)),
  }),
}));
