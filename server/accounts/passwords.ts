import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { throttled } from '../../schema/kernel/errors.ts';
import type { Passwords } from '../../schema/ports/passwords.ts';

/** argon2id, the library's default, at the cost that OWASP recommends: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Concurrent hashes: the thread pool also reads files, and sign-ins must not fill it; one core
 * stays free for other requests.
 */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
const waitingAtMost = 256;

/** Hashes on the thread pool, a few at a time; responds with 429 when too many wait. */
export function argon2Passwords(): Passwords {
  const limit = pLimit(atOnce);
  // checking this password makes "no such user" take as long as "wrong password"
  const decoy = limit(() => hash('nobody', cost));
  const queue = <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= waitingAtMost) throw throttled(1);
    return limit(work);
  };
  return {
    hash: (password) => queue(() => hash(password, cost)),
    verify: async (digest, password) => {
      const expected = digest ?? (await decoy);
      const isRight = await queue(() => verify(expected, password));
      return isRight && digest !== null;
    },
  };
}
