import { expect, test } from 'vitest';
import { span } from '../../server/pages/ci/ci.ts';

test.each([
  [0, '0 s'],
  [0.9, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [3725, '1 h 2 min 5 s'],
  [90_000, '25 h'],
])('%s seconds are shown as %s', (seconds, text) => {
  expect(span(seconds).replaceAll('\u00a0', ' ')).toBe(text);
});
