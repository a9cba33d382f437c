import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { numberByFrequency } from '../../prisma/parameter-graph.ts';

const encode = (bytes: readonly number[]) => Buffer.from(bytes).toString('base64url');

/** Two input nodes, one output node and one root; `far` stands at 200, a number of two bytes. */
const strings = Array.from({ length: 201 }, (_, index) => `unused ${index}`);
strings[1] = 'rare';
strings[2] = 'kind';
strings[3] = 'User.findMany';
strings[200] = 'far';
const farBefore = [0xc8, 0x01];
const rest = (far: readonly number[], rare: number, kind: number, root: number) => [
  ...[2, 1, 1],
  // far with scalar types, a child and flags; rare with an enum
  ...[2, ...far, 0x01, 0x02, 2, 0, 33, rare, 0, 0, 0, kind + 1, 2],
  ...[1, ...far, 0, 0, 0, 0, 1],
  ...[1, ...far, 1, 0],
  ...[root, 1, 1],
];

test('frequent names have low numbers, and the edges stay the same', () => {
  const compact = numberByFrequency({ strings, graph: encode(rest(farBefore, 1, 2, 3)) });
  expect(compact.strings.slice(0, 4)).toEqual(['far', 'rare', 'kind', 'User.findMany']);
  expect([...compact.strings].sort()).toEqual([...strings].sort());
  expect(compact.graph).toBe(encode(rest([0], 1, 2, 3)));
});

test('a graph with another layout is rejected', () => {
  const bytes = rest(farBefore, 1, 2, 3);
  expect(() => numberByFrequency({ strings, graph: encode(bytes.slice(0, -1)) })).toThrow(/early/);
  expect(() => numberByFrequency({ strings, graph: encode([...bytes, 0]) })).toThrow(/layout/);
});
