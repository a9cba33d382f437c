import { describe, expect, test } from 'vitest';
import { addedMentions, mentionsOf } from '../../schema/todos/mentions.ts';

const mentions = (addressed: readonly string[], others: readonly string[]) => ({
  addressed,
  others,
});

describe('the users whom a text mentions', () => {
  test.each([
    ['nothing', '', [], []],
    ['a name in a sentence', 'see @Ada.', [], ['ada']],
    ['names with dots and dashes', 'see @ada.b-c_d, (@x.y..)', [], ['ada.b-c_d', 'x.y']],
    ['names at the beginning', '@ada, @bob & @cat: see @dan', ['ada', 'bob', 'cat'], ['dan']],
    ['names at the beginning of a later line', 'Hi\n  @ada look', ['ada'], []],
    [
      'names at the beginning of an item',
      '- @ada\n* @bob\n+ @cat\n-@dan',
      ['ada', 'bob', 'cat'],
      [],
    ],
    ['a name twice', 'see @ada\n@ada @ADA', ['ada'], []],
    ['no addresses of mail', 'ada@bob.example, @', [], []],
    ['no paths', 'see /@ada, @@bob, x.@cat', [], []],
    ['no code', 'see `@ada`\n```\n@cat\n```\n~~~\n@dan', [], []],
    ['names after code', '```\n@ada\n```\nsee `x` @bob', [], ['bob']],
  ] as const)('%s', (_title, text, addressed, others) => {
    expect(mentionsOf(text)).toEqual(mentions(addressed, others));
  });

  test('are at most a hundred', () => {
    const names = Array.from({ length: 300 }, (_, n) => `@user${n}`).join(' ');
    expect(mentionsOf(names).addressed).toHaveLength(100);
    expect(mentionsOf(`x ${names}`).others).toHaveLength(100);
    const { addressed, others } = mentionsOf(`@ada\nx ${names}`);
    expect(addressed.length + others.length).toBe(100);
  });

  test('are those of the beginning of a very long text', () => {
    expect(mentionsOf(`${'x '.repeat(2 ** 16)}@ada`)).toEqual(mentions([], []));
  });

  test('that a change adds are those that the former text did not name', () => {
    expect(addedMentions('@ada', '@ada @bob and @cat')).toEqual(mentions(['bob'], ['cat']));
    expect(addedMentions('see @ada', '@ada')).toEqual(mentions([], []));
    expect(addedMentions(null, '@ada')).toEqual(mentions(['ada'], []));
  });
});
