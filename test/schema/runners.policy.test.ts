import { describe, expect, test } from 'vitest';
import { distinctTags, runnerFaults } from '../../schema/runners/faults.ts';
import {
  canListAllRunners,
  canManageRunners,
  canManageSharedRunners,
  canSeeRunnerToken,
  type RunnerStanding,
  reasonNotToDelete,
  reasonNotToEnable,
  reasonNotToShow,
  reasonNotToUpdate,
} from '../../schema/runners/policy.ts';

const standing = (words: string): RunnerStanding => ({
  isAdmin: words.includes('administrator'),
  isMaster: words.includes('master'),
  isShared: words.includes('shared'),
  isLocked: words.includes('locked'),
  projectCount: words.includes('several') ? 2 : 1,
});

const no = 'No access granted';
const shared = 'Runner is shared';
const locked = 'Runner is locked';
const several = 'Runner associated with more than one project';

describe('actions on a runner', () => {
  test.each([
    // caller, runner                        show  update  delete   enable
    ['another user', no, no, no, no],
    ['another user, one of several', no, no, several, no],
    ['another user, one locked', no, no, no, locked],
    ['another user, one shared', null, shared, shared, shared],
    ['a master', null, null, null, null],
    ['a master, one of several', null, null, several, null],
    ['a master, one locked', null, null, null, locked],
    ['a master, one locked of several', null, null, several, locked],
    ['a master, one shared', null, shared, shared, shared],
    ['an administrator', null, null, null, null],
    ['an administrator, one of several', null, null, null, null],
    ['an administrator, one locked', null, null, null, locked],
    ['an administrator, one shared', null, null, null, shared],
    ['an administrator, one shared and locked', null, null, null, shared],
  ] as const)('%s: show %s, update %s, delete %s, enable %s', (words, show, update, remove, on) => {
    const runner = standing(words);
    expect({
      show: reasonNotToShow(runner),
      update: reasonNotToUpdate(runner),
      remove: reasonNotToDelete(runner),
      enable: reasonNotToEnable(runner),
    }).toEqual({ show, update, remove, enable: on });
  });
});

test.each([
  [false, false, true],
  [false, true, false],
  [true, false, true],
  [true, true, true],
] as const)('administrator %s, shared %s: sees the token %s', (isAdmin, isShared, allowed) => {
  expect(canSeeRunnerToken({ isAdmin }, { isShared })).toBe(allowed);
});

test.each([
  [0, false],
  [10, false],
  [20, false],
  [30, false],
  [40, true],
  [50, true],
] as const)("level %i manages a project's runners: %s", (level, allowed) => {
  expect(canManageRunners(level)).toBe(allowed);
});

test('only administrators list all runners and manage shared ones', () => {
  expect([canListAllRunners({ isAdmin: true }), canListAllRunners({ isAdmin: false })]).toEqual([
    true,
    false,
  ]);
  expect([{ isAdmin: true }, { isAdmin: false }, null].map(canManageSharedRunners)).toEqual([
    true,
    false,
    false,
  ]);
});

describe('validation of a runner', () => {
  const nothing = { description: [], tagList: [], runUntagged: [] };
  const untagged = ['can not be empty when runner is not allowed to pick untagged jobs'];
  const long = ['is too long (maximum is 255 characters)'];
  const words = (count: number) => Array.from({ length: count }, (_, n) => `tag ${n}`);

  test.each([
    [{ tags: [], runsUntagged: true }, nothing],
    [{ tags: ['a'], runsUntagged: false }, nothing],
    [
      { tags: [], runsUntagged: false },
      { ...nothing, runUntagged: untagged },
    ],
    [{ description: null, tags: words(100), runsUntagged: true }, nothing],
    [
      {
        description: 'x'.repeat(256),
        tags: ['x'.repeat(256), 'y'.repeat(256)],
        runsUntagged: true,
      },
      { ...nothing, description: long, tagList: long },
    ],
    [
      { tags: words(101), runsUntagged: true },
      { ...nothing, tagList: ['is too long (maximum is 100 tags)'] },
    ],
  ])('of %o gives the errors by field', (runner, faults) => {
    expect(runnerFaults(runner)).toEqual(faults);
  });

  test('tags are trimmed and deduplicated', () => {
    expect(distinctTags([' b', 'a', '', 'b ', 'a b', 'B'])).toEqual(['b', 'a', 'a b', 'B']);
  });
});
