import { describe, expect, test } from 'vitest';
import { countLines, lineKey, parseDiff } from '../../server/pages/diffs/parse-diff.ts';
import { renderDiffs } from '../../server/pages/diffs/render-diffs.ts';
import { changedParts } from '../../server/pages/diffs/word-changes.ts';

const diff = `--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,4 @@ head
 one
--- two
++++ two
+<b>
 three
@@ -20 +21 @@
-last
\\ No newline at end of file
+end
`;

const limits = { mostFileLines: 10, mostLines: 20, mostText: 10_000 };
const file = {
  id: 'f0123456789',
  diff,
  keys: [],
  linesAddress: '/acme/app/diff_lines/abc/a.txt',
  blobAddress: '/acme/app/blob/abc/a.txt',
  commentAddress: null,
};
const render = (over: object = {}, isParallel = false) =>
  renderDiffs({ files: [{ ...file, ...over }], isParallel, ...limits })[0];

describe('a diff', () => {
  test('is parsed with the numbers of both versions', () => {
    const rows = parseDiff(diff, 100);
    expect(rows.map((row) => ('oldPlace' in row ? [lineKey(row), row.text] : row.kind))).toEqual([
      'hunk',
      ['1:1', 'one'],
      ['2:', '-- two'],
      [':2', '+++ two'],
      [':3', '<b>'],
      ['3:4', 'three'],
      'hunk',
      ['20:', 'last'],
      'remark',
      [':21', 'end'],
    ]);
  });

  test('is counted without the lines of its header', () => {
    expect(countLines(diff)).toEqual({ added: 3, removed: 2, total: 10 });
  });

  test('is escaped', () => {
    expect(render()?.pieces.join('')).toContain('&lt;b&gt;');
    expect(render()?.pieces.join('')).not.toContain('<b>');
  });

  test('has an anchor for each line, and a link to the lines between hunks', () => {
    const markup = render()?.pieces.join('') ?? '';
    expect(markup).toContain('id="f0123456789_2_2"');
    expect(markup).toContain('href="/acme/app/blob/abc/a.txt#L5"');
    expect(markup).toContain('from=5&amp;to=20&amp;shift=-1');
  });

  test('is cut after the lines that threads follow', () => {
    const { pieces, keys } = render({ keys: [':3', '9:9'] }) ?? { pieces: [], keys: [] };
    expect(keys).toEqual([':3']);
    expect(pieces[0]).toContain('&lt;b&gt;');
    expect(pieces[1]).toContain('three');
  });

  test('has removed lines beside the added ones in the parallel view', () => {
    const row = /<tr>.*-- two.*\+\+\+ two.*<\/tr>/;
    expect(render({}, true)?.pieces.join('')).toMatch(row);
    expect(render({}, false)?.pieces.join('')).not.toMatch(row);
  });

  test('with too many lines is left out beside others', () => {
    const long = `@@ -0,0 +1,11 @@\n${'+x\n'.repeat(11)}`;
    const files = [{ ...file, diff: long }, file, file, file];
    const rendered = renderDiffs({ files, isParallel: false, ...limits });
    expect(rendered.map(({ leftOut }) => leftOut)).toEqual(['file', null, null, 'page']);
    expect(rendered.map(({ added }) => added)).toEqual([11, 3, 3, 3]);
    expect(render({ diff: long })?.leftOut).toBeNull();
  });

  test('alone is cut at the limit of the page', () => {
    const shown = render({ diff: `@@ -0,0 +1,30 @@\n${'+x\n'.repeat(30)}` });
    expect([shown?.isCut, shown?.pieces.join('').split('<tr').length]).toEqual([true, 21]);
  });
});

describe('changed words', () => {
  const marked = (before: string, after: string) =>
    changedParts(before, after)?.map(({ start, end }, place) =>
      (place === 0 ? before : after).slice(start, end),
    ) ?? null;

  test.each([
    ['const a = first;', 'const a = second;', ['first', 'second']],
    ['call(one)', 'call(one, two)', ['', ', two']],
    ['an old word here', 'a word here', ['an old', 'a']],
    ['nothing', 'alike', null],
    ['', 'new', null],
  ])('from %j to %j', (before, after, parts) => {
    expect(marked(before, after)).toEqual(parts);
  });

  test('of very long lines are not marked', () => {
    expect(changedParts(`${'a '.repeat(2000)}b`, `${'a '.repeat(2000)}c`)).toBeNull();
  });
});
