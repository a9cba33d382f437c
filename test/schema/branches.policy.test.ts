import { expect, test } from 'vitest';
import { canProtectBranches, protectionOf } from '../../schema/branches/policy.ts';

const rule = (name: string, pushAccessLevel = 40, mergeAccessLevel = 40) => ({
  name,
  pushAccessLevel,
  mergeAccessLevel,
});

test.each([
  [20, false],
  [30, false],
  [40, true],
  [50, true],
])('level %i can protect branches: %s', (level, allowed) => {
  expect(canProtectBranches(level)).toBe(allowed);
});

test.each([
  ['no rule', [], [false, false, false]],
  ['a rule on another branch', [rule('mast')], [false, false, false]],
  ['a rule', [rule('master')], [true, false, false]],
  ['a rule with a wildcard', [rule('m*r', 30)], [true, true, false]],
  ['a rule without access', [rule('master', 0, 0)], [true, false, false]],
  [
    'two rules, of which the more permissive applies',
    [rule('*', 0, 30), rule('master', 30)],
    [true, true, true],
  ],
])('under %s', (_name, rules, [isProtected, developersCanPush, developersCanMerge]) => {
  expect(protectionOf('master', rules)).toEqual({
    isProtected,
    developersCanPush,
    developersCanMerge,
  });
});
