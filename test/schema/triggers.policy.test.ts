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
] as const)('at level %i triggers are managed: %s', (level, may) => {
  expect(canManageTriggers(level)).toBe(may);
});

test.each([
  [7, 7, true],
  [7, 8, false],
  [7, null, false],
] as const)('%i sees the token of what acts for %o: %s', (viewer, owner, may) => {
  expect(canSeeTriggerToken(viewer, owner)).toBe(may);
});
