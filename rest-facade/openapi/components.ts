import type { JsonSchema } from '../kernel/marks.ts';

/** The schemas of components, by name; operations add theirs. */
export type Components = Record<string, JsonSchema>;

/** A reference to a component. */
export const component = (kind: string, name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});
