import { expect, test } from 'vitest';
import {
  canManageApplication,
  canManageServiceApplications,
  canRegisterApplications,
} from '../../schema/oauth/application-policy.ts';
import { administrator, regularUser } from '../support/viewers.ts';

const viewers = { 'a user': regularUser, 'an administrator': administrator } as const;

test.each([
  ['a user', regularUser.id, true],
  ['a user', administrator.id, false],
  ['a user', null, false],
  ['an administrator', regularUser.id, false],
  ['an administrator', administrator.id, true],
  ['an administrator', null, true],
] as const)('%s manages the application of user %s: %s', (caller, ownerId, allowed) => {
  expect(canManageApplication(viewers[caller], { ownerId })).toBe(allowed);
});

test.each([
  ['a user', false],
  ['an administrator', true],
] as const)('%s manages service-wide applications: %s', (caller, allowed) => {
  expect(canManageServiceApplications(viewers[caller])).toBe(allowed);
});

test.each([
  ['a user', true, true],
  ['a user', false, false],
  ['an administrator', true, true],
  ['an administrator', false, true],
] as const)('%s registers with the setting %s: %s', (caller, isEnabled, allowed) => {
  expect(canRegisterApplications(viewers[caller], { userOauthApplications: isEnabled })).toBe(
    allowed,
  );
});
