import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { faultOf, findExpressions } from './regular-expressions.ts';

/** Checks new regular expressions, and records those that run in linear time. */
const path = 'test/fixtures/linear-expressions.json';
const before = new Set<string>(JSON.parse(readFileSync(path, 'utf8')));
const linear = new Set<string>();
for (const { text, pattern, flags, file } of findExpressions().literals) {
  if (linear.has(text)) continue;
  const fault = before.has(text) ? null : await faultOf(pattern, flags);
  if (fault === null) linear.add(text);
  else process.stdout.write(`${file} ${text}: ${fault}\n`);
}
writeFileSync(path, `${JSON.stringify([...linear].toSorted(), null, 2)}\n`);
