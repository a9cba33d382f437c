import { expect, test } from 'vitest';
import { Access } from '../../schema/kernel/access.ts';
import { canManageTriggers, canSeeTriggerToken } from '../../schema/triggers/policy.ts';

test.each([
  [Access.none, false],
  [Access.guest, false],
  [Access.reporter, false],
  [Access.developer, false],
  [Access.master, true],
  [Access.owner, true],
] as const)('level %i manages triggers: %s', (level, allowed) => {
  expect(canManageTriggers(level)).toBe(allowed);
});

test.each([
  [7, 7, true],
  [7, 8, false],
  [7, null, false],
] as const)('user %i sees the token of a trigger of user %o: %s', (viewer, owner, allowed) => {
  expect(canSeeTriggerToken(viewer, owner)).toBe(allowed);
});
