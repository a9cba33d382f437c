import { expect, test } from 'vitest';
import { canTieForks } from '../../schema/forks/policy.ts';
import { isArriving } from '../../schema/projects/policy.ts';
import { administrator, external, person } from '../support/viewers.ts';

test('administrators alone say where a project comes from', () => {
  expect([administrator, person, external].map(canTieForks)).toEqual([true, false, false]);
});

test.each([
  ['none', false],
  ['scheduled', true],
  ['started', true],
  ['finished', false],
  ['failed', false],
])('a repository whose import is %s is on its way: %s', (importStatus, expected) => {
  expect(isArriving({ importStatus })).toBe(expected);
});
