import { expect, test } from 'vitest';
import { canBeGranted, canManageMembers } from '../../schema/members/policy.ts';

test.each([
  [0, false, false],
  [10, false, false],
  [20, false, false],
  [30, false, false],
  [40, true, false],
  [50, true, true],
] as const)(
  'level %i manages members of a project: %s, of a group: %s',
  (level, inProject, inGroup) => {
    expect(canManageMembers('project', level)).toBe(inProject);
    expect(canManageMembers('group', level)).toBe(inGroup);
  },
);

test.each([
  [-10, false, false],
  [0, false, false],
  [5, false, false],
  [10, true, true],
  [20, true, true],
  [25, false, false],
  [30, true, true],
  [40, true, true],
  [50, false, true],
  [60, false, false],
  [Number.NaN, false, false],
])('level %d is granted in a project: %s, in a group: %s', (level, inProject, inGroup) => {
  expect(canBeGranted('project', level)).toBe(inProject);
  expect(canBeGranted('group', level)).toBe(inGroup);
});
