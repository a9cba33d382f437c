import { expect, test } from 'vitest';
import { canRequestAccess } from '../../schema/access-requests/policy.ts';
import { external, person } from '../support/viewers.ts';

const source = { level: 0, visibility: 'public', requestAccessEnabled: true } as const;

test.each([
  ['public', true, true],
  ['internal', true, false],
  ['private', false, false],
] as const)(
  '%s: users can request access: %s, external users: %s',
  (visibility, users, externalUsers) => {
    expect(canRequestAccess(person, { ...source, visibility })).toBe(users);
    expect(canRequestAccess(external, { ...source, visibility })).toBe(externalUsers);
  },
);

test.each([10, 20, 30, 40, 50] as const)('a member of level %i cannot request access', (level) => {
  expect(canRequestAccess(person, { ...source, level })).toBe(false);
});

test('access cannot be requested where requests are disabled', () => {
  expect(canRequestAccess(person, { ...source, requestAccessEnabled: false })).toBe(false);
});
