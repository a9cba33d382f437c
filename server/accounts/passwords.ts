import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { throttled } from '../../schema/kernel/errors.ts';
import type { Passwords } from '../../schema/ports/passwords.ts';

/** argon2id, the library's own choice of algorithm, at the cost OWASP advises: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes at once: the pool that runs them also reads files, and must not be filled by log-ins; one core is
 * left to everybody else, however many guess.
 */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
const waitingAtMost = 256;

/** Slow hashing on the thread pool, a few at a time; too many waiting is answered 429. */
export function argon2Passwords(): Passwords {
  const limit = pLimit(atOnce);
  // a password nobody has: checking it makes "no such user" take as long as "wrong password"
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
