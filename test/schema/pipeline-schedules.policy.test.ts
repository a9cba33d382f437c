import { expect, test } from 'vitest';
import { Access } from '../../schema/kernel/access.ts';
import {
  canChangeSchedule,
  canCreateSchedules,
  canSeeSchedules,
  canSeeScheduleVariables,
} from '../../schema/pipeline-schedules/policy.ts';

const project = { visibility: 'private', isArchived: false, jobsEnabled: true } as const;
const archived = { ...project, isArchived: true };
const withoutJobs = { ...project, jobsEnabled: false };

test.each([
  [Access.none, false],
  [Access.guest, false],
  [Access.reporter, false],
  [Access.developer, true],
  [Access.master, true],
  [Access.owner, true],
] as const)('level %i sees and creates schedules: %s', (level, allowed) => {
  expect(canSeeSchedules(level, project)).toBe(allowed);
  expect(canSeeSchedules(level, withoutJobs)).toBe(false);
  expect(canCreateSchedules(level, project)).toBe(allowed);
  expect(canCreateSchedules(level, archived)).toBe(false);
  expect(canCreateSchedules(level, withoutJobs)).toBe(false);
});

test.each([
  [Access.reporter, 7, false],
  [Access.developer, 7, true],
  [Access.developer, 8, false],
  [Access.developer, null, false],
  [Access.master, 8, true],
  [Access.master, null, true],
] as const)('user 7 with level %i changes a schedule of user %o: %s', (level, owner, allowed) => {
  expect(canChangeSchedule(7, level, project, owner)).toBe(allowed);
  expect(canChangeSchedule(7, level, archived, owner)).toBe(false);
  expect(canSeeScheduleVariables(7, level, owner)).toBe(allowed);
});
