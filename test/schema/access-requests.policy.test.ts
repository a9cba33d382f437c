import { expect, test } from 'vitest';
import { canRequestAccess } from '../../schema/access-requests/policy.ts';
import { external, person } from '../support/viewers.ts';

const source = { level: 0, visibility: 'public', requestAccessEnabled: true } as const;

test.each([
  ['public', true, true],
  ['internal', true, false],
  ['private', false, false],
] as const)('%s: anybody may ask: %s, externals: %s', (visibility, anybody, externals) => {
  expect(canRequestAccess(person, { ...source, visibility })).toBe(anybody);
  expect(canRequestAccess(external, { ...source, visibility })).toBe(externals);
});

test.each([10, 20, 30, 40, 50] as const)('who has level %i has nothing to ask for', (level) => {
  expect(canRequestAccess(person, { ...source, level })).toBe(false);
});

test('nobody asks where requests are not wanted', () => {
  expect(canRequestAccess(person, { ...source, requestAccessEnabled: false })).toBe(false);
});
