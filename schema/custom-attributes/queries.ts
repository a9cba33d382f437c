import { builder } from '../kernel/builder.ts';
import { attributesOf, findAttribute } from './attributes.ts';
import { AttributeOwnerInput } from './find.ts';
import { CustomAttribute } from './types.ts';

const ownerArgs = builder.args((t) => ({
  owner: t.field({ type: AttributeOwnerInput, required: true }),
}));

builder.queryFields((t) => ({
  customAttributes: t.field({
    type: [CustomAttribute],
    description: 'All that is noted of a user, group or project, the oldest first; administrators.',
    args: ownerArgs,
    resolve: (_root, { owner }, ctx) => attributesOf(owner, ctx),
  }),
  customAttribute: t.field({
    type: CustomAttribute,
    args: { ...ownerArgs, key: t.arg.string({ required: true }) },
    resolve: (_root, { owner, key }, ctx) => findAttribute(owner, key, ctx),
  }),
}));
