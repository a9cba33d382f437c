import { expect, test } from 'vitest';
import { canCreateForkRelation } from '../../schema/forks/policy.ts';
import { isImportUnfinished } from '../../schema/projects/policy.ts';
import { administrator, external, regularUser } from '../support/viewers.ts';

test('only administrators set the source of a fork', () => {
  expect([administrator, regularUser, external].map(canCreateForkRelation)).toEqual([
    true,
    false,
    false,
  ]);
});

test.each([
  ['none', false],
  ['scheduled', true],
  ['started', true],
  ['finished', false],
  ['failed', false],
])('a repository whose import is %s is incomplete: %s', (importStatus, expected) => {
  expect(isImportUnfinished({ importStatus })).toBe(expected);
});
