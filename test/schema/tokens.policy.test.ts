import { expect, test } from 'vitest';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import {
  availableScopes,
  canManageImpersonationTokens,
  canManagePersonalTokens,
  canSeePrivateToken,
  isActive,
} from '../../schema/tokens/policy.ts';
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
])('%s makes tokens to act as somebody: %s', (who, may) => {
  expect(canManageImpersonationTokens(viewers[who] ?? null)).toBe(may);
});

test.each([
  ['nobody', person.id, false],
  ['a person', person.id, true],
  ['a person', person.id + 1, false],
  ['an administrator', person.id, false],
])('%s manages the personal tokens of user %i: %s', (who, userId, may) => {
  expect(canManagePersonalTokens(viewers[who] ?? null, userId)).toBe(may);
});

test.each([
  ['nobody', person.id, null, false],
  ['a person', person.id, null, false],
  ['a person', person.id, administrator.id, true],
  ['a person', person.id + 1, administrator.id, false],
  ['an administrator', administrator.id, null, false],
  ['an administrator', person.id, null, false],
])('%s is shown the private token of user %i, asked for by %s: %s', (who, id, sudoerId, may) => {
  const request = { sudoerId, isDelegated: false };
  expect(canSeePrivateToken(viewers[who] ?? null, id, request)).toBe(may);
  expect(canSeePrivateToken(viewers[who] ?? null, id, { ...request, isDelegated: true })).toBe(
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
])('a token with %o is good: %s', (token, is) => {
  expect(isActive(token, now)).toBe(is);
});

test('a token can be made for what there is', () => {
  expect(availableScopes).toEqual(['api', 'read_user', 'openid']);
});
