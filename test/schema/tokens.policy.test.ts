import { expect, test } from 'vitest';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import {
  applicationScopes,
  availableScopes,
  canManageImpersonationTokens,
  canManagePersonalTokens,
  canSeePrivateToken,
  isActive,
} from '../../schema/tokens/policy.ts';
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
])('%s creates impersonation tokens: %s', (caller, allowed) => {
  expect(canManageImpersonationTokens(viewers[caller] ?? null)).toBe(allowed);
});

test.each([
  ['an anonymous user', regularUser.id, false],
  ['a user', regularUser.id, true],
  ['a user', regularUser.id + 1, false],
  ['an administrator', regularUser.id, false],
])('%s manages the personal tokens of user %i: %s', (caller, userId, allowed) => {
  expect(canManagePersonalTokens(viewers[caller] ?? null, userId)).toBe(allowed);
});

test.each([
  ['an anonymous user', regularUser.id, null, false],
  ['a user', regularUser.id, null, false],
  ['a user', regularUser.id, administrator.id, true],
  ['a user', regularUser.id + 1, administrator.id, false],
  ['an administrator', administrator.id, null, false],
  ['an administrator', regularUser.id, null, false],
])('%s sees the private token of user %i, with sudo by %s: %s', (caller, id, sudoerId, allowed) => {
  const request = { sudoerId, isDelegated: false };
  expect(canSeePrivateToken(viewers[caller] ?? null, id, request)).toBe(allowed);
  expect(canSeePrivateToken(viewers[caller] ?? null, id, { ...request, isDelegated: true })).toBe(
    false,
  );
});

const now = new Date('2017-10-01T00:00:00Z');
const before = new Date('2017-09-30T00:00:00Z');
const after = new Date('2017-10-02T00:00:00Z');

test.each([
  [{ revokedAt: null, expiresAt: null }, true],
  [{ revokedAt: null, expiresAt: after }, true],
  [{ revokedAt: null, expiresAt: now }, false],
  [{ revokedAt: null, expiresAt: before }, false],
  [{ revokedAt: before, expiresAt: null }, false],
  [{ revokedAt: before, expiresAt: after }, false],
])('a token with %o is active: %s', (token, isValid) => {
  expect(isActive(token, now)).toBe(isValid);
});

test('the available scopes', () => {
  expect(availableScopes).toEqual(['api', 'read_user', 'openid']);
  expect(applicationScopes).toEqual(['api', 'read_user', 'openid', 'profile', 'email']);
});
