import { builder } from '../kernel/builder.ts';
import { attributesOf, findAttribute } from './attributes.ts';
import { AttributeOwnerInput } from './find.ts';
import { CustomAttribute } from './types.ts';

const whose = builder.args((t) => ({
  owner: t.field({ type: AttributeOwnerInput, required: true }),
}));

builder.queryFields((t) => ({
  customAttributes: t.field({
    type: [CustomAttribute],
    description: 'All that is noted of a user, group or project, the oldest first; administrators.',
    args: whose,
    resolve: (_root, { owner }, ctx) => attributesOf(owner, ctx),
  }),
  customAttribute: t.field({
    type: CustomAttribute,
    args: { ...whose, key: t.arg.string({ required: true }) },
    resolve: (_root, { owner, key }, ctx) => findAttribute(owner, key, ctx),
  }),
}));
