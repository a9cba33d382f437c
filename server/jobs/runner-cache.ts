import { LRUCache } from 'lru-cache';
import type { CachedRunner, RunnerCache } from '../../schema/ports/runner-cache.ts';
import type { Secrets } from '../../schema/ports/secrets.ts';

/** Milliseconds that a runner is believed without asking again, should a notice get lost. */
const maxAgeMs = 60_000;
const maxEntries = 10_000;

interface RunnerMemory extends RunnerCache {
  forgetAll(): void;
}

/** The runners that asked this process lately, under the digests of their tokens. */
export function runnerCache(secrets: Pick<Secrets, 'digest'>): RunnerMemory {
  const runners = new LRUCache<string, CachedRunner>({ max: maxEntries, ttl: maxAgeMs });
  /** What was asked for before a change is not remembered after it. */
  let changes = 0;
  return {
    recall: async (token, find) => {
      const key = Buffer.from(secrets.digest(token)).toString('latin1');
      const cached = runners.get(key);
      if (cached) return cached;
      const before = changes;
      const runner = await find();
      if (runner && before === changes) runners.set(key, runner);
      return runner;
    },
    forget: (runnerId) => {
      changes += 1;
      for (const [key, { id }] of [...runners.entries()]) if (id === runnerId) runners.delete(key);
    },
    forgetAll: () => {
      changes += 1;
      runners.clear();
    },
  };
}
