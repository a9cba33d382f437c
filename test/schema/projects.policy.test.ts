import { describe, expect, test } from 'vitest';
import type { Access, Visibility } from '../../schema/kernel/access.ts';
import {
  canAdministerProject,
  canDownloadCode,
  canEditProject,
  canPushCode,
  canReadProject,
  canSeeRunnersToken,
} from '../../schema/projects/policy.ts';
import { external, person } from '../support/viewers.ts';

const traits = (visibility: Visibility, isArchived = false) => ({ visibility, isArchived });

describe('reading a project and its code', () => {
  test.each([
    // visibility, who, level, reads, downloads
    ['public', 'nobody', 0, true, true],
    ['public', 'a person', 0, true, true],
    ['public', 'an external', 0, true, true],
    ['public', 'a person', 10, true, true],
    ['internal', 'nobody', 0, false, false],
    ['internal', 'a person', 0, true, true],
    ['internal', 'a person', 10, true, true],
    ['internal', 'an external', 0, false, false],
    ['internal', 'an external', 10, true, false],
    ['internal', 'an external', 20, true, true],
    ['private', 'nobody', 0, false, false],
    ['private', 'a person', 0, false, false],
    ['private', 'a person', 10, true, false],
    ['private', 'a person', 20, true, true],
    ['private', 'a person', 30, true, true],
    ['private', 'a person', 40, true, true],
    ['private', 'a person', 50, true, true],
    ['private', 'an external', 0, false, false],
    ['private', 'an external', 20, true, true],
  ] as const)('%s, %s at level %i: reads %s, downloads %s', (visibility, who, level, ...may) => {
    const viewer = { nobody: null, 'a person': person, 'an external': external }[who];
    expect([
      canReadProject(viewer, level, traits(visibility)),
      canDownloadCode(viewer, level, traits(visibility)),
    ]).toEqual(may);
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
      administers: canAdministerProject(level),
    }).toEqual({ pushes, edits, seesRunnersToken: edits, administers: rules });
  });

  test.each([30, 40, 50] as const)(
    'nobody pushes to an archived project, level %i',
    (level: Access) => {
      expect(canPushCode(level, traits('public', true))).toBe(false);
    },
  );
});
