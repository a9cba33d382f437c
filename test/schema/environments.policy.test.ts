import { expect, test } from 'vitest';
import { nameFaults, urlFaults } from '../../schema/environments/faults.ts';
import {
  canChangeEnvironments,
  canCreateEnvironments,
  canSeeEnvironments,
} from '../../schema/environments/policy.ts';
import { environmentSlug } from '../../schema/environments/slug.ts';
import { Access } from '../../schema/kernel/access.ts';

const project = { visibility: 'private', isArchived: false, jobsEnabled: true } as const;

test.each([
  [Access.none, false, false, false],
  [Access.guest, false, false, false],
  [Access.reporter, true, false, false],
  [Access.developer, true, true, false],
  [Access.master, true, true, true],
  [Access.owner, true, true, true],
] as const)('level %i sees, creates and changes environments: %s, %s, %s', (level, ...allowed) => {
  const rules = [canSeeEnvironments, canCreateEnvironments, canChangeEnvironments];
  expect(rules.map((rule) => rule(level, project))).toEqual(allowed);
  const withoutJobs = { ...project, jobsEnabled: false };
  expect(rules.some((rule) => rule(level, withoutJobs))).toBe(false);
  const archived = { ...project, isArchived: true };
  expect(canCreateEnvironments(level, archived)).toBe(false);
});

test.each([
  ['production', /^production$/],
  ['a', /^a$/],
  ['Production', /^production-[a-z0-9]{6}$/],
  ['review/fix-foo', /^review-fix-foo-[a-z0-9]{6}$/],
  ['1', /^env-1-[a-z0-9]{6}$/],
  ['x'.repeat(255), /^x{17}-[a-z0-9]{6}$/],
])('the slug of %s', (name, slug) => {
  expect(environmentSlug(name)).toMatch(slug);
  expect(environmentSlug(name, 1)).not.toBe(environmentSlug(name));
  expect(environmentSlug(name, 1)).toMatch(/^[a-z][a-z0-9-]{0,23}$/);
});

test.each(['a', 'review/$CI_COMMIT_REF', 'a b.c_d-e', 'x'.repeat(255)])('%s is a name', (name) => {
  expect(nameFaults(name)).toEqual([]);
});

test.each(['', ' ', 'a:b', 'a\nb', 'é', 'x'.repeat(256)])('%j is no name', (name) => {
  expect(nameFaults(name)).toHaveLength(1);
});

test.each(['javascript:alert(1)', 'example.com', 'https://', 'https://a b', 'ftp://example.com'])(
  '%s is no URL of an environment',
  (url) => {
    expect(urlFaults(url)).toEqual(['must be a valid URL']);
  },
);
