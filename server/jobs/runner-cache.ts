import { LRUCache } from 'lru-cache';
import type { CachedRunner, RunnerCache } from '../../schema/ports/runner-cache.ts';
import type { Secrets } from '../../schema/ports/secrets.ts';

/** Limits the life of an entry in case a notification is lost. */
const maxAgeMs = 60_000;
const maxEntries = 10_000;

interface RunnerMemory extends RunnerCache {
  forgetAll(): void;
}

/** Caches the runners that recently called this process, by the digests of their tokens. */
export function runnerCache(secrets: Pick<Secrets, 'digest'>): RunnerMemory {
  const runners = new LRUCache<string, CachedRunner>({ max: maxEntries, ttl: maxAgeMs });
  /** A lookup that began before a change is not cached after it. */
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
