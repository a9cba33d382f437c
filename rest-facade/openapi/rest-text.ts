import { snakeCase } from '../kernel/case.ts';

/** Values of enums that texts of the core name, as GraphQL spells them. */
const values =
  /\b(?:GUEST|REPORTER|DEVELOPER|MASTER|OWNER|PRIVATE|INTERNAL|PUBLIC|FULL|RUNNING|CONFLICT)\b/g;

/**
 * A text of the core as REST spells it: `startBranch` in backquotes → `start_branch`, and values of
 * enums in lower case.
 */
export const restText = (text: string): string =>
  text.replace(/`[a-z]+[A-Z]\w*`/g, snakeCase).replace(values, (value) => value.toLowerCase());
