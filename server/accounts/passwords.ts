import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { DomainError, throttled } from '../../schema/kernel/errors.ts';
import type { Passwords } from '../../schema/ports/passwords.ts';

/** argon2id, the library's default, at the cost that OWASP recommends: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The digest of random bytes that were not kept: checking it makes "no such user" take as long as "wrong
 * password". It has the same cost.
 */
export const decoy =
  '$argon2id$v=19$m=19456,t=2,p=1$5Bww6si+ARLSBvyndFJa3g$u3k0/NOzeXCWGIV1Sd/1gVf05YL8JvHRqNB/LTUa4hs';

/**
 * Concurrent hashes: the thread pool also reads files, and sign-ins must not fill it; one core
 * stays free for other requests.
 */
export const passwordsAtOnce = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Hashes that wait. */
export const passwordsWaiting = 256;

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Hashes on the thread pool, in turns of their callers; responds with 429 when too many wait. */
export function argon2Passwords(inTurn: InTurn = (work) => work()): Passwords {
  const queue: InTurn = (work) =>
    inTurn(work).catch((error: unknown) => {
      const isRefused = error instanceof DomainError && error.code === 'UNAVAILABLE';
      throw isRefused ? throttled(1) : error;
    });
  return {
    hash: (password) => queue(() => hash(password, cost)),
    verify: async (digest, password) => {
      const isRight = await queue(() => verify(digest ?? decoy, password));
      return isRight && digest !== null;
    },
  };
}
