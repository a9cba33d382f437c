import { expect, test } from 'vitest';
import { keyFaults, valueFaults } from '../../schema/variables/faults.ts';
import { canManageVariables } from '../../schema/variables/policy.ts';

test.each([
  [0, false],
  [10, false],
  [20, false],
  [30, false],
  [40, true],
  [50, true],
] as const)('level %i manages variables: %s', (level, allowed) => {
  expect(canManageVariables(level)).toBe(allowed);
});

test.each(['A', '_', '0', 'aZ_9', 'k'.repeat(255)])('%s is a valid key', (key) => {
  expect(keyFaults(key)).toEqual([]);
});

test.each(['', ' ', 'a b', 'A\n', 'é', 'a-b', 'a.b', '$A', 'k'.repeat(256)])(
  '%j is an invalid key',
  (key) => {
    expect(keyFaults(key)).not.toEqual([]);
  },
);

test.each([
  ['', []],
  ['\t\r\n😀', []],
  ['x'.repeat(65_536), []],
  ['x'.repeat(65_537), ['is too long (maximum is 65536 characters)']],
  ['a\0b', ['is invalid']],
  ['\ud83d', ['is invalid']],
])('a value like %j has these errors: %j', (value, faults) => {
  expect(valueFaults(value)).toEqual(faults);
});
