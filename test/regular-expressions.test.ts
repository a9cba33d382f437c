import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unjudgedExpressions } from './fixtures/unjudged-expressions.ts';
import { faultOf, findExpressions } from './support/regular-expressions.ts';

const { literals, calls } = findExpressions();

/** Written by `node test/support/judge-expressions.ts`, because judging all of them takes minutes. */
const linear: readonly string[] = JSON.parse(
  readFileSync('test/fixtures/linear-expressions.json', 'utf8'),
);

test('no regular expression takes more than linear time', async () => {
  expect(literals.length).toBeGreaterThan(200);
  const judged = new Set(linear);
  const faults: string[] = [];
  for (const { text, pattern, flags, file } of literals) {
    if (judged.has(text)) continue;
    const fault = await faultOf(pattern, flags);
    if (fault !== null) faults.push(`${file} ${text}: ${fault}`);
  }
  expect(faults).toEqual([]);
}, 120_000);

test('every expression that is built at run time has a reason', () => {
  expect(calls.map(({ file, text }) => `${file}: ${text}`).toSorted()).toEqual(
    Object.keys(unjudgedExpressions).toSorted(),
  );
});
