import { LRUCache } from 'lru-cache';
import { taskKey } from './shared-results.ts';

/** How many threads an input may end before it is refused: another cause may have ended the first. */
const maxLosses = 2;

/** Milliseconds for which it is refused. */
const rememberedFor = 60_000;

interface Kind {
  readonly kind: string;
}

/** Thrown for an input that has ended its thread each time. */
export class PoisonousInput extends Error {}

/** Remembers inputs that ended their threads, so that repeated requests cannot end one after the other. */
export function threadLosses() {
  const counts = new LRUCache<string, number>({ max: 1_000, ttl: rememberedFor });
  const countOf = (key: string) => counts.get(key) ?? 0;
  return {
    check: ({ kind }: Kind, input: unknown): void => {
      // the key of a large input costs more than all else here
      if (counts.size > 0 && countOf(taskKey(kind, input)) >= maxLosses) throw new PoisonousInput();
    },
    add: ({ kind }: Kind, input: unknown): void => {
      const key = taskKey(kind, input);
      counts.set(key, countOf(key) + 1);
    },
  };
}
