import { expect, test } from 'vitest';
import { canCreateSnippet, canEditSnippet, canReadSnippet } from '../../schema/snippets/policy.ts';
import { external, regularUser } from '../support/viewers.ts';

const ofOther = { authorId: regularUser.id + 1 };

test.each([
  ['private', 0, [false, false]],
  ['internal', 0, [true, false]],
  ['public', 0, [true, true]],
  ['private', 10, [true, true]],
] as const)('a %s snippet is read at level %i', (visibility, level, [inside, outside]) => {
  expect(canReadSnippet(regularUser, level, { ...ofOther, visibility })).toBe(inside);
  expect(canReadSnippet(external, level, { ...ofOther, visibility })).toBe(outside);
});

test('the author reads and edits a snippet', () => {
  const own = { authorId: regularUser.id, visibility: 'private' } as const;
  expect(canReadSnippet(regularUser, 0, own)).toBe(true);
  expect(canEditSnippet(regularUser, 0, own)).toBe(true);
});

test('reporters create snippets, masters edit those of others', () => {
  expect([10, 20].map((level) => canCreateSnippet(level as 10 | 20))).toEqual([false, true]);
  expect([30, 40].map((level) => canEditSnippet(regularUser, level as 30 | 40, ofOther))).toEqual([
    false,
    true,
  ]);
});
