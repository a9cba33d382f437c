import { expect, test } from 'vitest';
import { canCommentOnCommit, canSetCommitStatus } from '../../schema/commits/policy.ts';
import { transitionFault } from '../../schema/commits/status-moves.ts';
import type { Access } from '../../schema/kernel/access.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';

const viewer = { isExternal: false } as Viewer;
const external = { isExternal: true } as Viewer;

test.each([
  ['an anonymous user', null, 0, 'public', false],
  ['a user', viewer, 0, 'public', true],
  ['a user', viewer, 0, 'internal', true],
  ['an external user', external, 0, 'internal', false],
  ['a user', viewer, 0, 'private', false],
  ['a guest', viewer, 10, 'private', false],
  ['a reporter', viewer, 20, 'private', true],
] as const)('a comment by %s', (_name, caller, level, visibility, allowed) => {
  const project = { visibility, isArchived: false };
  expect(canCommentOnCommit(caller, level as Access, project)).toBe(allowed);
});

test.each([
  [10, false],
  [20, false],
  [30, true],
  [50, true],
] as const)('level %i can set a commit status: %s', (level, allowed) => {
  expect(canSetCommitStatus(viewer, level)).toBe(allowed);
});

test.each([
  ['pending', 'running', true],
  ['pending', 'success', true],
  ['pending', 'failed', true],
  ['pending', 'canceled', true],
  ['pending', 'pending', false],
  ['running', 'pending', false],
  ['running', 'running', false],
  ['running', 'success', true],
  ['running', 'canceled', true],
] as const)('a status changes from %s to %s: %s', (from, to, allowed) => {
  expect(transitionFault(from, to) === null).toBe(allowed);
});
