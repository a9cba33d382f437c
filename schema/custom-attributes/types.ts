import { builder } from '../kernel/builder.ts';
import type { Attribute } from './attributes.ts';

/** A custom attribute of a user, group or project, which listings can be filtered by. */
export const CustomAttribute = builder.objectRef<Attribute>('CustomAttribute').implement({
  fields: (t) => ({
    key: t.exposeString('key'),
    value: t.exposeString('value'),
  }),
});
