import { expect, test } from 'vitest';
import { lastMeasure } from '../../schema/pipelines/patterns.ts';

test.each([
  [String.raw`\d+%`, '10%\n20%\n', 20],
  [String.raw`\d+%`, '10% 30%\nnone', 30],
  [String.raw`Coverage: (\d+\.\d+)`, 'Coverage: 98.29 of 100\n', 98.29],
  [String.raw`\(\d+.\d+\%\) covered`, 'x (98.29%) covered', 98.29],
  [String.raw`a(\d+)b(\d+)`, 'a1b2', 2],
  ['covered', 'covered\n', null],
  ['(', '10', null],
  ['', '10', null],
  ['x'.repeat(300), 'x'.repeat(300), null],
  [String.raw`(\d+)+$`, `${'1'.repeat(50)}x`, null],
] as const)('the pattern %s matches in %o: %s', (pattern, text, coverage) => {
  expect(lastMeasure({ pattern, text })).toBe(coverage);
});
