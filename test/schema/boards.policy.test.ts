import { expect, test } from 'vitest';
import { canArrangeLists, canDeleteLists } from '../../schema/boards/policy.ts';

test.each([
  [0, false, false],
  [10, false, false],
  [20, true, false],
  [30, true, false],
  [40, true, true],
  [50, true, true],
] as const)('level %i adds and moves lists: %s, deletes them: %s', (level, arranges, deletes) => {
  expect(canArrangeLists(level)).toBe(arranges);
  expect(canDeleteLists(level)).toBe(deletes);
});
