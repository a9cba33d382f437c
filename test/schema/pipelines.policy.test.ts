import { expect, test } from 'vitest';
import type { Access } from '../../schema/kernel/access.ts';
import {
  canReadPipelines,
  canRunOnBranch,
  canRunPipelines,
  canSeePipelines,
} from '../../schema/pipelines/policy.ts';
import { person } from '../support/viewers.ts';

const levels = [0, 10, 20, 30, 40, 50] as const;
const open = { visibility: 'public', isArchived: false, defaultBranch: 'master' } as const;

/** The levels at which something may be done. */
const at = (may: (level: Access) => boolean) => levels.filter(may);

test('pipelines are seen by everybody where jobs are public, by reporters otherwise', () => {
  expect(at((level) => canSeePipelines(level, { publicJobs: true }))).toEqual(levels);
  expect(at((level) => canSeePipelines(level, { publicJobs: false }))).toEqual([20, 30, 40, 50]);
});

test('nobody who is not signed in is told of pipelines by themselves', () => {
  for (const publicJobs of [true, false]) {
    expect(at((level) => canReadPipelines(null, level, { publicJobs }))).toEqual([]);
    const reading = at((level) => canReadPipelines(person, level, { publicJobs }));
    expect(reading).toEqual(at((level) => canSeePipelines(level, { publicJobs })));
  }
});

test('pipelines are run by developers, and by nobody in an archived project', () => {
  expect(at((level) => canRunPipelines(level, open))).toEqual([30, 40, 50]);
  expect(at((level) => canRunPipelines(level, { ...open, isArchived: true }))).toEqual([]);
});

test.each([
  ['no rule', [], [30, 40, 50]],
  ['a rule on another branch', [['stable', 40, 40]], [30, 40, 50]],
  ['masters push', [['master', 40, 40]], [40, 50]],
  ['developers push', [['master', 30, 40]], [30, 40, 50]],
  ['developers merge', [['mas*', 40, 30]], [30, 40, 50]],
  [
    'of two rules the kinder one',
    [
      ['master', 40, 40],
      ['m*', 30, 40],
    ],
    [30, 40, 50],
  ],
  ['nobody pushes or merges', [['master', 0, 0]], []],
  ['nobody pushes, masters merge', [['master', 0, 40]], [40, 50]],
] as const)('a branch with %s', (_name, written, may) => {
  const rules = written.map(([name, pushAccessLevel, mergeAccessLevel]) => ({
    name,
    pushAccessLevel,
    mergeAccessLevel,
  }));
  expect(at((level) => canRunOnBranch('master', level, open, rules))).toEqual(may);
});
