import { LRUCache } from 'lru-cache';
import type { Viewer } from '../../schema/kernel/viewer.ts';

/** How long what was found may be believed without asking again, should a notice get lost. */
const maxAgeMs = 60_000;
const maxEntries = 10_000;
/** Ids that all viewers together carry along, some tens of megabytes. */
const maxIds = 4_000_000;

/** Somebody found by what they showed, and until when that holds. */
export interface CachedIdentity {
  /** Null: nobody, but an application that speaks for itself. */
  readonly viewer: Viewer | null;
  readonly expiresAt: Date | null;
}

/** Who was found by what, until it is forgotten. Failures are not remembered. */
export interface IdentityCache<Entry extends CachedIdentity> {
  /** What is remembered under `key`, else what `find` gives; asked side by side, it is asked once. */
  recall(key: string, find: () => Promise<Entry | null>): Promise<Entry | null>;
  forget(userId: number): void;
  forgetAll(): void;
}

export function createIdentityCache<Entry extends CachedIdentity>(): IdentityCache<Entry> {
  /** Under which keys a person is remembered: forgetting one does not look through all. */
  const keysOf = new Map<number, Set<string>>();
  const entries = new LRUCache<string, Entry>({
    max: maxEntries,
    ttl: maxAgeMs,
    maxSize: maxIds,
    sizeCalculation: ({ viewer }) => sizeOf(viewer),
    dispose: (entry, key) => {
      const id = idOf(entry);
      const keys = keysOf.get(id);
      keys?.delete(key);
      if (keys?.size === 0) keysOf.delete(id);
    },
  });
  /** Questions under way. One that began before a change is nobody's answer after it. */
  let pending = new Map<string, Promise<Entry | null>>();

  const keep = (key: string, entry: Entry) => {
    entries.set(key, entry);
    const id = idOf(entry);
    keysOf.set(id, (keysOf.get(id) ?? new Set()).add(key));
  };

  return {
    recall: (key, find) => {
      const known = entries.get(key);
      if (known && !isOver(known)) return Promise.resolve(known);
      const current = pending;
      const running = current.get(key);
      if (running) return running;
      const answer = find()
        .then((entry) => {
          if (entry && current === pending) keep(key, entry);
          return entry;
        })
        .finally(() => current.delete(key));
      current.set(key, answer);
      return answer;
    },
    forget: (userId) => {
      pending = new Map();
      for (const key of [...(keysOf.get(userId) ?? [])]) entries.delete(key);
    },
    forgetAll: () => {
      pending = new Map();
      entries.clear();
    },
  };
}

const isOver = ({ expiresAt }: CachedIdentity) => expiresAt !== null && expiresAt <= new Date();

/** Nobody has the id 0, and the database tells of nobody's token under none. */
const idOf = ({ viewer }: CachedIdentity) => viewer?.id ?? 0;

const sizeOf = (viewer: Viewer | null) =>
  1 +
  (viewer?.groupLevels.size ?? 0) +
  (viewer?.groupPathIds.length ?? 0) +
  (viewer?.reachableIds?.length ?? 0) +
  (viewer?.projectIds?.length ?? 0) +
  (viewer?.knownGroupIds?.length ?? 0);
