import { describe, expect, test } from 'vitest';
import {
  canDeleteBranch,
  canDeleteTag,
  matchesRule,
  type PushSituation,
  refusalOf,
} from '../../schema/repository/push-rules.ts';

const zeros = '0'.repeat(40);
const firstCommit = '1'.repeat(40);
const secondCommit = '2'.repeat(40);

const kinds = {
  create: { before: zeros, after: firstCommit, isForced: false },
  move: { before: firstCommit, after: secondCommit, isForced: false },
  force: { before: firstCommit, after: secondCommit, isForced: true },
  delete: { before: firstCommit, after: zeros, isForced: false },
} as const;

const texts = {
  push: 'You are not allowed to push code to protected branches on this project.',
  delete:
    'You are not allowed to delete protected branches from this project. ' +
    'Only a project master or owner can delete a protected branch.',
  default: 'The default branch of a project cannot be deleted.',
  force: 'You are not allowed to force push code to a protected branch on this project.',
  tag: 'You are not allowed to change existing tags on this project.',
  name: 'Names of branches and tags may not begin with refs/.',
  none: null,
} as const;

const situation: PushSituation = {
  level: 30,
  defaultBranch: 'master',
  rules: [
    { name: 'master', pushAccessLevel: 40, mergeAccessLevel: 40 },
    { name: 'open', pushAccessLevel: 30, mergeAccessLevel: 40 },
    { name: 'frozen', pushAccessLevel: 0, mergeAccessLevel: 40 },
    { name: 'release/*', pushAccessLevel: 40, mergeAccessLevel: 40 },
  ],
  tagRules: [],
  protection: 2,
};

describe('branches of a project with commits', () => {
  test.each([
    // branch, change, error for a developer, for a master
    ['topic', 'create', 'none', 'none'],
    ['topic', 'move', 'none', 'none'],
    ['topic', 'force', 'none', 'none'],
    ['topic', 'delete', 'none', 'none'],
    ['master', 'move', 'push', 'none'],
    ['master', 'force', 'force', 'none'],
    ['master', 'delete', 'default', 'default'],
    ['open', 'create', 'none', 'none'],
    ['open', 'move', 'none', 'none'],
    ['open', 'force', 'force', 'none'],
    ['open', 'delete', 'delete', 'none'],
    ['frozen', 'create', 'push', 'push'],
    ['frozen', 'move', 'push', 'push'],
    ['frozen', 'force', 'force', 'push'],
    ['frozen', 'delete', 'delete', 'none'],
    ['release/1.0', 'create', 'push', 'none'],
    ['release/1.0', 'move', 'push', 'none'],
    ['release/1.0', 'force', 'force', 'none'],
    ['release/1.0', 'delete', 'delete', 'none'],
  ] as const)(
    '%s, %s: the error is %s for a developer, %s for a master',
    (branch, kind, developer, master) => {
      const change = { ref: `refs/heads/${branch}`, ...kinds[kind] };
      expect(refusalOf(change, situation)).toBe(texts[developer]);
      for (const level of [40, 50] as const) {
        expect(refusalOf(change, { ...situation, level })).toBe(texts[master]);
      }
    },
  );

  test('the most permissive of several rules applies', () => {
    const rules = [...situation.rules, { name: '*', pushAccessLevel: 30, mergeAccessLevel: 40 }];
    const change = { ref: 'refs/heads/release/1.0', ...kinds.move };
    expect(refusalOf(change, { ...situation, rules })).toBeNull();
  });

  test('the merge level allows merges of merge requests only', () => {
    const rules = [
      { name: 'master', pushAccessLevel: 40, mergeAccessLevel: 30 },
      { name: 'frozen', pushAccessLevel: 0, mergeAccessLevel: 40 },
      { name: 'shut', pushAccessLevel: 0, mergeAccessLevel: 0 },
    ];
    const merge = (branch: string) => ({
      ref: `refs/heads/${branch}`,
      ...kinds.move,
      isMerge: true,
    });
    const refusalAt = (branch: string, level: 30 | 40) =>
      refusalOf(merge(branch), { ...situation, rules, level });
    expect(refusalAt('master', 30)).toBeNull();
    expect(refusalOf({ ...merge('master'), isMerge: false }, { ...situation, rules })).toBe(
      texts.push,
    );
    expect([refusalAt('frozen', 30), refusalAt('frozen', 40)]).toEqual([texts.push, null]);
    expect([refusalAt('shut', 30), refusalAt('shut', 40)]).toEqual([texts.push, texts.push]);
    expect(refusalAt('topic', 30)).toBeNull();
    const removal = { ...merge('frozen'), ...kinds.delete, isMerge: true };
    expect(refusalOf(removal, { ...situation, rules })).toBe(texts.delete);
  });

  test('the setting does not apply to a project with a default branch', () => {
    const change = { ref: 'refs/heads/topic', ...kinds.create };
    expect(refusalOf(change, { ...situation, protection: 3 })).toBeNull();
  });
});

describe('the first push', () => {
  test.each([
    // setting, error for a developer, for a master
    [0, 'none', 'none'],
    [1, 'none', 'none'],
    [2, 'push', 'none'],
    [3, 'push', 'none'],
  ] as const)(
    'protection %i: the error is %s for a developer, %s for a master',
    (protection, developer, master) => {
      const empty = { ...situation, defaultBranch: null, rules: [], protection };
      const change = { ref: 'refs/heads/master', ...kinds.create };
      expect(refusalOf(change, empty)).toBe(texts[developer]);
      expect(refusalOf(change, { ...empty, level: 40 })).toBe(texts[master]);
    },
  );
});

describe('tags and other references', () => {
  test.each([
    ['refs/tags/v1', 'create', 'none', 'none'],
    ['refs/tags/v1', 'move', 'tag', 'none'],
    ['refs/tags/v1', 'force', 'tag', 'none'],
    ['refs/tags/v1', 'delete', 'tag', 'none'],
    ['refs/tags/master', 'create', 'none', 'none'],
    ['refs/tags/refs/tags/v1', 'create', 'name', 'name'],
    ['refs/tags/refs/tags/v1', 'delete', 'tag', 'none'],
    ['refs/heads/refs/tags/v1', 'create', 'name', 'name'],
    ['refs/refs/tags/v1', 'create', 'name', 'name'],
    ['refs/tags/v1/refs/x', 'create', 'none', 'none'],
    ['refs/notes/commits', 'force', 'none', 'none'],
  ] as const)(
    '%s, %s: the error is %s for a developer, %s for a master',
    (ref, kind, developer, master) => {
      const change = { ref, ...kinds[kind] };
      expect(refusalOf(change, situation)).toBe(texts[developer]);
      expect(refusalOf(change, { ...situation, level: 40 })).toBe(texts[master]);
    },
  );
});

describe('the name of a rule', () => {
  test.each([
    ['master', 'master', true],
    ['master', 'Master', false],
    ['master', 'master2', false],
    ['*', 'anything/at/all', true],
    ['release/*', 'release/1', true],
    ['release/*', 'release/', true],
    ['release/*', 'release', false],
    ['*-stable', '10-1-stable', true],
    ['*-stable', '10-1-stable-2', false],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'acb', false],
    ['ab*ba', 'aba', false],
    ['a*bc*c', 'abc', false],
    ['x.y', 'xzy', false],
    ['**', '', true],
  ])('%s matchesRule %s: %s', (name, branch, isMatch) => {
    expect(matchesRule(name, branch)).toBe(isMatch);
  });
});

describe('protected tags', () => {
  const tagRules = [
    { name: 'v*', createAccessLevel: 40 },
    { name: 'v0.*', createAccessLevel: 30 },
    { name: 'frozen', createAccessLevel: 0 },
  ];
  const [none, one, two] = ['0', '1', '2'].map((digit) => digit.repeat(40)) as [
    string,
    string,
    string,
  ];
  const moves = { create: [none, one], move: [one, two], delete: [one, none] } as const;
  const reasons = {
    ...texts,
    create: 'You are not allowed to create this tag as it is protected.',
    update: 'Protected tags cannot be updated.',
  } as const;

  test.each([
    // tag, change, error for a developer, for a master
    ['nightly', 'create', 'none', 'none'],
    ['nightly', 'move', 'tag', 'none'],
    ['v1.0', 'create', 'create', 'none'],
    ['v1.0', 'move', 'tag', 'update'],
    ['v1.0', 'delete', 'tag', 'none'],
    ['v0.1', 'create', 'none', 'none'],
    ['frozen', 'create', 'create', 'create'],
    ['frozen', 'delete', 'tag', 'none'],
  ] as const)('%s: %s', (tag, kind, developer, master) => {
    const [before, after] = moves[kind];
    const change = { ref: `refs/tags/${tag}`, before, after, isForced: false };
    expect(refusalOf(change, { ...situation, tagRules })).toBe(reasons[developer]);
    expect(refusalOf(change, { ...situation, tagRules, level: 40 })).toBe(reasons[master]);
  });
});

describe('the buttons that delete', () => {
  const rules = [{ name: 'stable', pushAccessLevel: 30, mergeAccessLevel: 30 }];
  const project = { visibility: 'public', isArchived: false, defaultBranch: 'main' } as const;

  test.each([
    // branch, for a reporter, a developer, a master
    ['topic', false, true, true],
    ['stable', false, false, true],
    ['main', false, false, false],
  ] as const)('a branch: %s', (branch, reporter, developer, master) => {
    const can = (level: 20 | 30 | 40, isArchived = false) =>
      canDeleteBranch(branch, level, { ...project, isArchived }, rules);
    expect([can(20), can(30), can(40)]).toEqual([reporter, developer, master]);
    expect(can(40, true)).toBe(false);
  });

  test('a tag', () => {
    expect(([20, 30, 40] as const).map((level) => canDeleteTag(level, project))).toEqual([
      false,
      false,
      true,
    ]);
    expect(canDeleteTag(40, { ...project, isArchived: true })).toBe(false);
  });
});
