import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { attributesOf, findAttribute } from './attributes.ts';
import { AttributeOwnerInput } from './find.ts';
import { CustomAttribute } from './types.ts';

const ownerArgs = builder.args((t) => ({
  owner: t.field({
    type: AttributeOwnerInput,
    required: true,
    description: 'The user, group or project.',
  }),
}));

builder.queryFields((t) => ({
  customAttributes: t.field({
    type: [CustomAttribute],
    extensions: internal,
    description:
      'The custom attributes of a user, group or project, the oldest first. Administrators only.',
    args: ownerArgs,
    resolve: (_root, { owner }, ctx) => attributesOf(owner, ctx),
  }),
  customAttribute: t.field({
    type: CustomAttribute,
    extensions: internal,
    description: 'A custom attribute of a user, group or project. Administrators only.',
    args: { ...ownerArgs, key: t.arg.string({ required: true, description: 'Its key.' }) },
    resolve: (_root, { owner, key }, ctx) => findAttribute(owner, key, ctx),
  }),
}));
