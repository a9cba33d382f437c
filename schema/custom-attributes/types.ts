import { builder } from '../kernel/builder.ts';
import type { Attribute } from './attributes.ts';

export const CustomAttribute = builder.objectRef<Attribute>('CustomAttribute').implement({
  description:
    'A key and value that administrators attach to a user, group or project. Listings can be filtered by them. Only administrators see it.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The key, unique for its owner.' }),
    value: t.exposeString('value', { description: 'The value.' }),
  }),
});
