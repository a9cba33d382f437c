import { describe, expect, test } from 'vitest';
import type { Access, Visibility } from '../../schema/kernel/access.ts';
import { levelInProject, type ProjectWithLevel } from '../../schema/projects/find.ts';
import {
  canAdministerProject,
  canDownloadCode,
  canEditProject,
  canPushCode,
  canReadProject,
  canSeeImportError,
  canSeeRunnersToken,
  canShareProject,
  canUpload,
} from '../../schema/projects/policy.ts';
import { administrator, external, regularUser } from '../support/viewers.ts';

const traits = (visibility: Visibility, isArchived = false) => ({ visibility, isArchived });

describe('reading a project and its code', () => {
  test.each([
    // visibility, caller, level, reads, downloads
    ['public', 'an anonymous user', 0, true, true],
    ['public', 'a user', 0, true, true],
    ['public', 'an external user', 0, true, true],
    ['public', 'a user', 10, true, true],
    ['internal', 'an anonymous user', 0, false, false],
    ['internal', 'a user', 0, true, true],
    ['internal', 'a user', 10, true, true],
    ['internal', 'an external user', 0, false, false],
    ['internal', 'an external user', 10, true, false],
    ['internal', 'an external user', 20, true, true],
    ['private', 'an anonymous user', 0, false, false],
    ['private', 'a user', 0, false, false],
    ['private', 'a user', 10, true, false],
    ['private', 'a user', 20, true, true],
    ['private', 'a user', 30, true, true],
    ['private', 'a user', 40, true, true],
    ['private', 'a user', 50, true, true],
    ['private', 'an external user', 0, false, false],
    ['private', 'an external user', 20, true, true],
  ] as const)(
    '%s, %s at level %i: reads %s, downloads %s',
    (visibility, caller, level, ...allowed) => {
      const viewer = {
        'an anonymous user': null,
        'a user': regularUser,
        'an external user': external,
      }[caller];
      expect([
        canReadProject(viewer, level, traits(visibility)),
        canDownloadCode(viewer, level, traits(visibility)),
      ]).toEqual(allowed);
    },
  );
});

describe('attaching files to a project', () => {
  test.each([
    ['public', 'an anonymous user', 0, false],
    ['public', 'a user', 0, true],
    ['public', 'an external user', 0, true],
    ['internal', 'a user', 0, true],
    ['internal', 'an external user', 0, false],
    ['internal', 'an external user', 10, true],
    ['private', 'a user', 0, false],
    ['private', 'a user', 10, true],
  ] as const)('%s, %s at level %i: %s', (visibility, caller, level, allowed) => {
    const viewer = {
      'an anonymous user': null,
      'a user': regularUser,
      'an external user': external,
    }[caller];
    expect(canUpload(viewer, level, traits(visibility))).toBe(allowed);
    expect(canUpload(viewer, level, traits(visibility, true))).toBe(allowed);
  });
});

describe('changing a project', () => {
  test.each([
    // level, pushes, edits, administers
    [0, false, false, false],
    [10, false, false, false],
    [20, false, false, false],
    [30, true, false, false],
    [40, true, true, false],
    [50, true, true, true],
  ] as const)('level %i: pushes %s, edits %s, administers %s', (level, pushes, edits, rules) => {
    expect({
      pushes: canPushCode(level, traits('private')),
      edits: canEditProject(level),
      seesRunnersToken: canSeeRunnersToken(level),
      seesImportError: canSeeImportError(level),
      shares: canShareProject(level),
      administers: canAdministerProject(level),
    }).toEqual({
      pushes,
      edits,
      seesRunnersToken: edits,
      seesImportError: edits,
      shares: edits,
      administers: rules,
    });
  });

  test.each([30, 40, 50] as const)(
    'level %i cannot push to an archived project',
    (level: Access) => {
      expect(canPushCode(level, traits('public', true))).toBe(false);
    },
  );
});

describe('the level in a project', () => {
  const viewer = {
    ...regularUser,
    groupLevels: new Map<number, Access>([
      [1, 20],
      [2, 50],
      [3, 30],
    ]),
  };

  /** A project below these groups, with the viewer's own level and shares as `[level, groups]`. */
  const project = (
    above: readonly number[],
    own: number | null,
    shares: readonly (readonly [level: number, above: readonly number[], isRemoved?: boolean])[],
    ownerId: number | null = null,
  ): ProjectWithLevel => ({
    ...traits('private'),
    id: 1,
    namespace: { ancestorIds: [...above], ownerId },
    members: own === null ? [] : [{ accessLevel: own }],
    groupLinks: shares.map(([accessLevel, ancestorIds, isRemoved = false], index) => ({
      id: index + 1,
      accessLevel,
      expiresAt: null,
      namespace: {
        id: ancestorIds.at(-1) ?? 0,
        name: 'friends',
        visibility: 'private',
        isRemoved,
        ancestorIds: [...ancestorIds],
      },
    })),
  });

  test.each([
    // groups above, own level, shares, level
    [[9], null, [], 0],
    [[9], 10, [], 10],
    [[1], null, [], 20],
    [[1, 9], null, [], 20],
    [[1, 2, 9], null, [], 50],
    [[1], 40, [], 40],
    [[1], 10, [], 20],
    [[9], null, [[40, [3]]], 30],
    [[9], null, [[10, [3]]], 10],
    [[9], null, [[40, [2]]], 40],
    [[9], null, [[40, [3, 8]]], 30],
    [[9], null, [[40, [8]]], 0],
    [[9], null, [[40, [3], true]], 0],
    [
      [9],
      10,
      [
        [20, [2]],
        [30, [3]],
      ],
      30,
    ],
    [[2], 10, [[30, [3]]], 50],
  ] as const)('below %j, own %j, shares %j: %i', (above, own, shares, level) => {
    expect(levelInProject(viewer, project(above, own, shares))).toBe(level);
  });

  test('is 0 for an anonymous user, 50 for an administrator and the owner of a personal project', () => {
    const personal = project([9], null, [], viewer.id);
    expect(levelInProject(null, personal)).toBe(0);
    expect(levelInProject(administrator, personal)).toBe(50);
    expect(levelInProject(viewer, personal)).toBe(50);
    expect(levelInProject({ ...viewer, id: 8 }, personal)).toBe(0);
  });
});
