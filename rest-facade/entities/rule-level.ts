import { s } from '../kernel/shape.ts';

/** A level in the rule of a protected branch or tag. */
export const ruleLevel = s.object({
  access_level: s.int().describe('The lowest level that may do it: 0 (no user), 30 or 40.'),
  access_level_description: s.text().describe('The level in words.'),
});

/** The levels that a rule may require. */
export const ruleLevels = ['0', '30', '40'] as const;
