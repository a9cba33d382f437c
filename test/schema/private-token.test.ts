import { expect, test } from 'vitest';
import { newToken } from '../../schema/kernel/private-token.ts';

test('a token is twenty letters and digits: no program takes it for an option', () => {
  const odd = Array.from({ length: 1000 }, newToken).filter(
    (token) => !/^[A-Za-z0-9]{20}$/.test(token),
  );
  expect(odd).toEqual([]);
});
