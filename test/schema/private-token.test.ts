import { expect, test } from 'vitest';
import { newToken } from '../../schema/kernel/private-token.ts';

test('a token is twenty letters and digits, so no command reads it as an option', () => {
  const malformed = Array.from({ length: 1000 }, newToken).filter(
    (token) => !/^[A-Za-z0-9]{20}$/.test(token),
  );
  expect(malformed).toEqual([]);
});
