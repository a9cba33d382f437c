import { expect, test } from 'vitest';
import type { Access } from '../../schema/kernel/access.ts';
import {
  canDeletePipelines,
  canReadPipelines,
  canRunOnRef,
  canRunPipelines,
  canSeePipelines,
  canSeePipelineVariables,
} from '../../schema/pipelines/policy.ts';
import { regularUser } from '../support/viewers.ts';

const levels = [0, 10, 20, 30, 40, 50] as const;
const publicProject = { visibility: 'public', isArchived: false, defaultBranch: 'master' } as const;

/** The levels at which the action is allowed. */
const levelsWhere = (isAllowed: (level: Access) => boolean) => levels.filter(isAllowed);

test('pipelines are visible to all levels if jobs are public, to reporters otherwise', () => {
  expect(levelsWhere((level) => canSeePipelines(level, { publicJobs: true }))).toEqual(levels);
  expect(levelsWhere((level) => canSeePipelines(level, { publicJobs: false }))).toEqual([
    20, 30, 40, 50,
  ]);
});

test('the pipelines endpoints require a signed-in user', () => {
  for (const publicJobs of [true, false]) {
    expect(levelsWhere((level) => canReadPipelines(null, level, { publicJobs }))).toEqual([]);
    const reading = levelsWhere((level) => canReadPipelines(regularUser, level, { publicJobs }));
    expect(reading).toEqual(levelsWhere((level) => canSeePipelines(level, { publicJobs })));
  }
});

test('developers run pipelines, except in an archived project', () => {
  expect(levelsWhere((level) => canRunPipelines(level, publicProject))).toEqual([30, 40, 50]);
  expect(
    levelsWhere((level) => canRunPipelines(level, { ...publicProject, isArchived: true })),
  ).toEqual([]);
});

test.each([
  ['no rule', [], [30, 40, 50]],
  ['a rule on another branch', [['stable', 40, 40]], [30, 40, 50]],
  ['masters push', [['master', 40, 40]], [40, 50]],
  ['developers push', [['master', 30, 40]], [30, 40, 50]],
  ['developers merge', [['mas*', 40, 30]], [30, 40, 50]],
  [
    'two rules, of which the more permissive applies',
    [
      ['master', 40, 40],
      ['m*', 30, 40],
    ],
    [30, 40, 50],
  ],
  ['no pushes or merges', [['master', 0, 0]], []],
  ['no pushes, merges by masters', [['master', 0, 40]], [40, 50]],
] as const)('a branch with %s', (_name, ruleTuples, allowed) => {
  const rules = ruleTuples.map(([name, pushAccessLevel, mergeAccessLevel]) => ({
    name,
    pushAccessLevel,
    mergeAccessLevel,
  }));
  const ref = { name: 'master', isTag: false };
  const all = { rules, tagRules: [] };
  expect(levelsWhere((level) => canRunOnRef(ref, level, publicProject, all))).toEqual(allowed);
});

test('owners delete pipelines, except in an archived project', () => {
  const archived = { ...publicProject, isArchived: true };
  expect(levelsWhere((level) => canDeletePipelines(level, publicProject))).toEqual([50]);
  expect(levelsWhere((level) => canDeletePipelines(level, archived))).toEqual([]);
});

test('masters see variables of pipelines, and developers those that they gave', () => {
  const { id } = regularUser;
  const seenBy = (userId: number | null, project = publicProject) =>
    levelsWhere((level) => canSeePipelineVariables(regularUser, level, project, { userId }));
  expect(seenBy(null)).toEqual([40, 50]);
  expect(seenBy(id + 1)).toEqual([40, 50]);
  expect(seenBy(id)).toEqual([30, 40, 50]);
});

test.each([
  ['v1', [30, 40, 50]],
  ['release', [40, 50]],
  ['frozen', []],
])('users who may create the tag %s run its pipelines', (name, allowed) => {
  const tagRules = [
    { name: 'rel*', createAccessLevel: 40 },
    { name: 'frozen', createAccessLevel: 0 },
  ];
  const ref = { name, isTag: true };
  const run = (level: Access) => canRunOnRef(ref, level, publicProject, { rules: [], tagRules });
  expect(levelsWhere(run)).toEqual(allowed);
});
