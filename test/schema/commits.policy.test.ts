import { expect, test } from 'vitest';
import { canCommentOnCommit, canSetCommitStatus } from '../../schema/commits/policy.ts';
import { moveFault } from '../../schema/commits/status-moves.ts';
import type { Access } from '../../schema/kernel/access.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';

const viewer = { isExternal: false } as Viewer;
const external = { isExternal: true } as Viewer;

test.each([
  ['nobody', null, 0, 'public', false],
  ['somebody', viewer, 0, 'public', true],
  ['somebody', viewer, 0, 'internal', true],
  ['somebody external', external, 0, 'internal', false],
  ['somebody', viewer, 0, 'private', false],
  ['a guest', viewer, 10, 'private', false],
  ['a reporter', viewer, 20, 'private', true],
] as const)('a comment by %s', (_who, who, level, visibility, may) => {
  const project = { visibility, isArchived: false };
  expect(canCommentOnCommit(who, level as Access, project)).toBe(may);
});

test.each([
  [10, false],
  [20, false],
  [30, true],
  [50, true],
] as const)('level %i may say what came of a commit: %s', (level, may) => {
  expect(canSetCommitStatus(viewer, level)).toBe(may);
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
] as const)('from %s to %s: %s', (from, to, may) => {
  expect(moveFault(from, to) === null).toBe(may);
});
