import { expect, test } from 'vitest';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import {
  canListUsers,
  canManageEmails,
  canManageUsers,
  canRemoveUser,
  canSearchAccounts,
  canSeeActivities,
  canSeePrivateDetails,
} from '../../schema/users/policy.ts';
import { administrator, person } from '../support/viewers.ts';

const viewers: Readonly<Record<string, Viewer | null>> = {
  nobody: null,
  'a person': person,
  'an administrator': administrator,
};

test.each([
  ['nobody', false],
  ['a person', false],
  ['an administrator', true],
])('%s makes, changes and blocks users, and looks into their accounts: %s', (who, may) => {
  const viewer = viewers[who] ?? null;
  expect(canManageUsers(viewer)).toBe(may);
  expect(canSearchAccounts(viewer)).toBe(may);
  expect(canSeeActivities(viewer)).toBe(may);
});

test.each([
  ['nobody', person.id, false],
  ['a person', person.id, false],
  ['a person', person.id + 1, false],
  ['an administrator', person.id + 1, true],
  ['an administrator', administrator.id, false],
])('%s removes user %i: %s', (who, userId, may) => {
  expect(canRemoveUser(viewers[who] ?? null, userId)).toBe(may);
});

test.each([
  ['nobody', person.id, false],
  ['a person', person.id, true],
  ['a person', person.id + 1, false],
  ['an administrator', person.id, true],
])('%s sees private details and manages the addresses of user %i: %s', (who, userId, may) => {
  expect(canSeePrivateDetails(viewers[who] ?? null, userId)).toBe(may);
  expect(canManageEmails(viewers[who] ?? null, userId)).toBe(may);
});

test.each([
  ['nobody', null, false],
  ['nobody', 'ada', true],
  ['a person', null, true],
  ['a person', 'ada', true],
  ['an administrator', null, true],
])('%s lists users named %s: %s', (who, username, may) => {
  expect(canListUsers(viewers[who] ?? null, username)).toBe(may);
});
