import { builder } from '../kernel/builder.ts';
import type { Attribute } from './attributes.ts';

/** What administrators note about a user, group or project, and filter listings by. */
export const CustomAttribute = builder.objectRef<Attribute>('CustomAttribute').implement({
  fields: (t) => ({
    key: t.exposeString('key'),
    value: t.exposeString('value'),
  }),
});
