import { expect, test } from 'vitest';
import { argon2Passwords, decoy } from '../../server/accounts/passwords.ts';

const passwords = argon2Passwords();

test('a missing digest costs as much to check as a stored one', async () => {
  const stored = await passwords.hash('correct horse battery');
  const parametersOf = (digest: string) => digest.split('$').slice(1, 4);
  expect(parametersOf(decoy)).toEqual(parametersOf(stored));
});

test('no password is right without a digest', async () => {
  for (const password of ['', 'nobody', decoy]) {
    expect(await passwords.verify(null, password)).toBe(false);
  }
});
