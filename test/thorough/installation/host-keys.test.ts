import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { newEd25519Key } from '../../../server/ssh/host-keys.ts';

/** The library makes a key that cannot be read once in 256 times: ten of these are expected. */
const many = 3_000;

test('each new host key can be read', async () => {
  const unreadable: string[] = [];
  for (let made = 0; made < many; made += 1) {
    const key = await newEd25519Key();
    if (ssh2.utils.parseKey(key) instanceof Error) unreadable.push(key);
  }
  expect(unreadable).toEqual([]);
});
