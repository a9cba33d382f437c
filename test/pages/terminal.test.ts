import { describe, expect, test } from 'vitest';
import { terminalColours } from '../../server/pages/assets/terminal-colours.ts';
import { terminalText } from '../../server/pages/ci/terminal.ts';

const esc = String.fromCharCode(27);
/** `{` stands for the start of an escape sequence. */
const render = (text: string) => terminalText(text.replaceAll('{', `${esc}[`)).markup;

describe('terminal output', () => {
  test.each([
    ['keeps plain text', 'one\ntwo\n', 'one\ntwo\n'],
    [
      'escapes markup',
      '<b onclick="x">&{31m</b>',
      '&lt;b onclick=&quot;x&quot;&gt;&amp;<span class="f1">&lt;/b&gt;</span>',
    ],
    ['converts line ends', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    [
      'keeps a colour until it is reset',
      '{31mred\nstill{0m not',
      '<span class="f1">red</span>\n<span class="f1">still</span> not',
    ],
    [
      'resets all styles with an empty sequence',
      '{1;32mgreen{mplain',
      '<span class="bold f2">green</span>plain',
    ],
    ['shows bright colours', '{91;104mx', '<span class="b12">x</span>'],
    [
      'drops a text colour that is unreadable on its background',
      '{30;47mx',
      '<span class="b7">x</span>',
    ],
    [
      'shows 256 colours',
      '{38;5;208mx{48;5;17my',
      '<span class="f208">x</span><span class="b17">y</span>',
    ],
    [
      'shows the nearest of 256 for a 24-bit colour',
      '{38;2;255;0;0mx',
      '<span class="f196">x</span>',
    ],
    [
      'shows styles',
      '{1;3;4;9mx{22;23;24;29my',
      '<span class="bold italic underlined struck">x</span>y',
    ],
    ['swaps inverse colours', '{31;7mx{27my', '<span class="b1">x</span><span class="f1">y</span>'],
    ['shows inverse text without colours', '{7mx{27my', '<span class="inverse">x</span>y'],
    ['omits hidden text', 'a{8mb{28mc', 'ac'],
    ['merges equal styles', '{31ma{31mb', '<span class="f1">ab</span>'],
    ['ignores invalid colours', '{38;5;256mx{38;2;1;2mx{38mx{48;9mx{999mx{38;5mx', 'xxxxxx'],
    ['shows the final state of an overwritten line', '10 %\r50 %\r100 %\ndone', '100 %\ndone'],
    ['keeps a line after a mere carriage return', 'kept\r\nkept\r', 'kept\nkept'],
    ['removes a line that is cleared after a carriage return', 'old\r{Knew', 'new'],
    ['clears to the end of a line', 'kept{K', 'kept'],
    ['clears a whole line', 'old{2Knew', 'new'],
    ['applies backspaces', 'ab\bc{31m\b', 'a'],
    ['ignores cursor and screen sequences', 'a{2Jb{1;1Hc{?25ld{Ae', 'abcde'],
    [
      'ignores other sequences',
      `a${esc}]0;title\u0007b${esc}]8;;x${esc}\\c${esc}(Bd${esc}7e`,
      'abcde',
    ],
    ['ignores control characters', 'a\0b\u0007c\u0085d\u200b\te', 'abcd\u200b\te'],
    ['ignores an incomplete sequence', `a${esc}`, 'a'],
  ])('%s', (_what, text, markup) => {
    expect(render(text)).toBe(markup);
  });

  test('omits section markers', () => {
    const marked = [
      'section_start:1560896352:prepare_script\r{0K{36;1mPreparing{0;m',
      'section_end:1560896352:prepare_script\r{0Ksection_start:1560896353:build[collapsed=true]\r{0KBuilding',
      'section_end:1560896354:build\r{0K',
      'a section_start:x, a section and sections',
      'section_end:1560896355:last',
    ];
    expect(render(marked.join('\n'))).toBe(
      '<span class="bold f6">Preparing</span>\nBuilding\na section_start:x, a section and sections\n',
    );
  });

  test('is plain text beyond the limit of styles', () => {
    const markup = render('{31ma{32mb'.repeat(20_000));
    expect(markup.split('<span')).toHaveLength(20_001);
    expect(markup.replaceAll(/<[^>]*>/g, '')).toBe('ab'.repeat(20_000));
  });

  test.each([
    ['backspaces', `${'a'.repeat(250_000)}${'\b'.repeat(250_000)}`],
    ['returns', 'a\r'.repeat(250_000)],
    ['starts of sequences', '{'.repeat(250_000)],
    ['starts of titles', `${esc}]`.repeat(250_000)],
    ['parameters without an end', `{${'1'.repeat(500_000)}`],
    ['starts of section markers', 'section_start:1:'.repeat(30_000)],
    ['characters in a section name', `section_start:1:${'a'.repeat(500_000)}`],
    ['lines', '\n'.repeat(500_000)],
  ])('is parsed in linear time with many %s', (_what, text) => {
    expect(render(text).length).toBeLessThanOrEqual(500_100);
  });
});

test('the stylesheet has rules for 256 text and background colours', () => {
  const rules = terminalColours.split('\n');
  expect(rules).toHaveLength(512);
  expect(rules[0]).toMatch(/^\.trace \.f0\{color:#[0-9a-f]{6}\}$/);
  expect(rules[511]).toBe('.trace .b255{background:#eeeeee;color:#000000}');
});
