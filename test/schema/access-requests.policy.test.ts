import { expect, test } from 'vitest';
import { canRequestAccess } from '../../schema/access-requests/policy.ts';
import { external, regularUser } from '../support/viewers.ts';

const source = { level: 0, visibility: 'public', requestAccessEnabled: true } as const;

test.each([
  ['public', true, true],
  ['internal', true, false],
  ['private', false, false],
] as const)(
  '%s: users can request access: %s, external users: %s',
  (visibility, users, externalUsers) => {
    expect(canRequestAccess(regularUser, { ...source, visibility })).toBe(users);
    expect(canRequestAccess(external, { ...source, visibility })).toBe(externalUsers);
  },
);

test.each([10, 20, 30, 40, 50] as const)('a member of level %i cannot request access', (level) => {
  expect(canRequestAccess(regularUser, { ...source, level })).toBe(false);
});

test('access cannot be requested where requests are disabled', () => {
  expect(canRequestAccess(regularUser, { ...source, requestAccessEnabled: false })).toBe(false);
});
