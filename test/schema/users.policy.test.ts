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
import { administrator, regularUser } from '../support/viewers.ts';

const viewers: Readonly<Record<string, Viewer | null>> = {
  'an anonymous user': null,
  'a user': regularUser,
  'an administrator': administrator,
};

test.each([
  ['an anonymous user', false],
  ['a user', false],
  ['an administrator', true],
])('%s creates, changes and blocks users, and searches accounts: %s', (caller, allowed) => {
  const viewer = viewers[caller] ?? null;
  expect(canManageUsers(viewer)).toBe(allowed);
  expect(canSearchAccounts(viewer)).toBe(allowed);
  expect(canSeeActivities(viewer)).toBe(allowed);
});

test.each([
  ['an anonymous user', regularUser.id, false],
  ['a user', regularUser.id, false],
  ['a user', regularUser.id + 1, false],
  ['an administrator', regularUser.id + 1, true],
  ['an administrator', administrator.id, false],
])('%s removes user %i: %s', (caller, userId, allowed) => {
  expect(canRemoveUser(viewers[caller] ?? null, userId)).toBe(allowed);
});

test.each([
  ['an anonymous user', regularUser.id, false],
  ['a user', regularUser.id, true],
  ['a user', regularUser.id + 1, false],
  ['an administrator', regularUser.id, true],
])(
  '%s sees private details and manages the addresses of user %i: %s',
  (caller, userId, allowed) => {
    expect(canSeePrivateDetails(viewers[caller] ?? null, userId)).toBe(allowed);
    expect(canManageEmails(viewers[caller] ?? null, userId)).toBe(allowed);
  },
);

test.each([
  ['an anonymous user', null, false],
  ['an anonymous user', 'ada', true],
  ['a user', null, true],
  ['a user', 'ada', true],
  ['an administrator', null, true],
])('%s lists users named %s: %s', (caller, username, allowed) => {
  expect(canListUsers(viewers[caller] ?? null, username)).toBe(allowed);
});
