import { describe, expect, test } from 'vitest';
import { terminalText } from '../../server/pages/terminal.ts';
import { terminalColours } from '../../server/pages/terminal-colours.ts';

const esc = String.fromCharCode(27);
/** `{` stands for the beginning of a command to the terminal. */
const shown = (text: string) => terminalText(text.replaceAll('{', `${esc}[`)).markup;

describe('what a terminal wrote', () => {
  test.each([
    ['plain text stays', 'one\ntwo\n', 'one\ntwo\n'],
    [
      'markup is text',
      '<b onclick="x">&{31m</b>',
      '&lt;b onclick=&quot;x&quot;&gt;&amp;<span class="f1">&lt;/b&gt;</span>',
    ],
    ['lines end as they do elsewhere', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    [
      'a colour lasts until it is taken back',
      '{31mred\nstill{0m not',
      '<span class="f1">red</span>\n<span class="f1">still</span> not',
    ],
    [
      'an empty command takes all back',
      '{1;32mgreen{mplain',
      '<span class="bold f2">green</span>plain',
    ],
    ['bright colours', '{91;104mx', '<span class="b12">x</span>'],
    ['text on a colour is what can be read there', '{30;47mx', '<span class="b7">x</span>'],
    [
      'one of 256 colours',
      '{38;5;208mx{48;5;17my',
      '<span class="f208">x</span><span class="b17">y</span>',
    ],
    ['one of all colours is the nearest', '{38;2;255;0;0mx', '<span class="f196">x</span>'],
    ['styles', '{1;3;4;9mx{22;23;24;29my', '<span class="bold italic underlined struck">x</span>y'],
    ['colours change places', '{31;7mx{27my', '<span class="b1">x</span><span class="f1">y</span>'],
    ['and without any', '{7mx{27my', '<span class="inverse">x</span>y'],
    ['what is hidden is left out', 'a{8mb{28mc', 'ac'],
    ['same styles are one', '{31ma{31mb', '<span class="f1">ab</span>'],
    ['colours that there are not', '{38;5;256mx{38;2;1;2mx{38mx{48;9mx{999mx{38;5mx', 'xxxxxx'],
    ['a line that is written over is what it became', '10 %\r50 %\r100 %\ndone', '100 %\ndone'],
    ['one that was only led back stays', 'kept\r\nkept\r', 'kept\nkept'],
    ['one that is cleared goes', 'gone\r{Kcome', 'come'],
    ['the rest of a line is not there', 'kept{K', 'kept'],
    ['a whole line goes', 'gone{2Kcome', 'come'],
    ['what is taken back goes', 'ab\bc{31m\b', 'a'],
    ['commands that move and clear are left out', 'a{2Jb{1;1Hc{?25ld{Ae', 'abcde'],
    ['other commands, too', `a${esc}]0;title\u0007b${esc}]8;;x${esc}\\c${esc}(Bd${esc}7e`, 'abcde'],
    ['and other characters that nobody sees', 'a\0b\u0007c\u0085d\u200b\te', 'abcd\u200b\te'],
    ['a command that is not whole', `a${esc}`, 'a'],
  ])('%s', (_what, text, markup) => {
    expect(shown(text)).toBe(markup);
  });

  test('is shown without the marks of its sections', () => {
    const marked = [
      'section_start:1560896352:prepare_script\r{0K{36;1mPreparing{0;m',
      'section_end:1560896352:prepare_script\r{0Ksection_start:1560896353:build[collapsed=true]\r{0KBuilding',
      'section_end:1560896354:build\r{0K',
      'a section_start:x, a section and sections',
      'section_end:1560896355:last',
    ];
    expect(shown(marked.join('\n'))).toBe(
      '<span class="bold f6">Preparing</span>\nBuilding\na section_start:x, a section and sections\n',
    );
  });

  test('is plain where a page has no more room for colours', () => {
    const markup = shown('{31ma{32mb'.repeat(20_000));
    expect(markup.split('<span')).toHaveLength(20_001);
    expect(markup.replaceAll(/<[^>]*>/g, '')).toBe('ab'.repeat(20_000));
  });

  test.each([
    ['backspaces', `${'a'.repeat(250_000)}${'\b'.repeat(250_000)}`],
    ['returns', 'a\r'.repeat(250_000)],
    ['beginnings of commands', '{'.repeat(250_000)],
    ['beginnings of titles', `${esc}]`.repeat(250_000)],
    ['a command without an end', `{${'1'.repeat(500_000)}`],
    ['beginnings of marks', 'section_start:1:'.repeat(30_000)],
    ['a mark without an end', `section_start:1:${'a'.repeat(500_000)}`],
    ['lines', '\n'.repeat(500_000)],
  ])('is read in no time, also of many %s', (_what, text) => {
    expect(shown(text).length).toBeLessThanOrEqual(500_100);
  });
});

test('there are rules for 256 colours, as text and behind it', () => {
  const rules = terminalColours.split('\n');
  expect(rules).toHaveLength(512);
  expect(rules[0]).toMatch(/^\.trace \.f0\{color:#[0-9a-f]{6}\}$/);
  expect(rules[511]).toBe('.trace .b255{background:#eeeeee;color:#000000}');
});
