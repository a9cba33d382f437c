import { expect, test } from 'vitest';
import {
  canAdministerGroup,
  canCountMembers,
  canCreateGroup,
  canCreateProjectIn,
  canCreateSubgroup,
} from '../../schema/groups/policy.ts';
import { administrator, regularUser } from '../support/viewers.ts';

test.each([
  [0, false, false, false, false],
  [10, false, false, false, false],
  [20, false, false, false, false],
  [30, false, false, false, false],
  [40, false, false, true, true],
  [50, true, true, true, true],
] as const)(
  'level %i: administers %s, creates subgroups %s, creates projects %s, counts members %s',
  (level, administers, createsSubgroups, createsProjects, counts) => {
    expect({
      administers: canAdministerGroup(level),
      createsSubgroups: canCreateSubgroup(level),
      createsProjects: canCreateProjectIn(level),
      counts: canCountMembers(level),
    }).toEqual({
      administers,
      createsSubgroups,
      createsProjects,
      counts,
    });
  },
);

test.each([
  ['a user', regularUser, true],
  ['a user without the permission', { ...regularUser, canCreateGroup: false }, false],
  ['an administrator', { ...administrator, canCreateGroup: false }, true],
])('%s creates groups: %#', (_name, viewer, allowed) => {
  expect(canCreateGroup(viewer)).toBe(allowed);
});
