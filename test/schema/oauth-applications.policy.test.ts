import { expect, test } from 'vitest';
import {
  canManageApplication,
  canManageServiceApplications,
  canRegisterApplications,
} from '../../schema/oauth/application-policy.ts';
import { administrator, person } from '../support/viewers.ts';

const viewers = { 'a person': person, 'an administrator': administrator } as const;

test.each([
  ['a person', person.id, true],
  ['a person', administrator.id, false],
  ['a person', null, false],
  ['an administrator', person.id, false],
  ['an administrator', administrator.id, true],
  ['an administrator', null, true],
] as const)('%s looks after the application of user %s: %s', (who, ownerId, may) => {
  expect(canManageApplication(viewers[who], { ownerId })).toBe(may);
});

test.each([
  ['a person', false],
  ['an administrator', true],
] as const)('%s makes applications of the whole service: %s', (who, may) => {
  expect(canManageServiceApplications(viewers[who])).toBe(may);
});

test.each([
  ['a person', true, true],
  ['a person', false, false],
  ['an administrator', true, true],
  ['an administrator', false, true],
] as const)('%s registers with the setting %s: %s', (who, is, may) => {
  expect(canRegisterApplications(viewers[who], { userOauthApplications: is })).toBe(may);
});
