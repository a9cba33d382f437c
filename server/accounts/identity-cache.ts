import { LRUCache } from 'lru-cache';
import type { Viewer } from '../../schema/kernel/viewer.ts';

/** Limits the life of an entry in case a notification is lost. */
const maxAgeMs = 60_000;
const maxEntries = 10_000;
/** Limit for the ids in all cached viewers together, some tens of megabytes. */
const maxIds = 4_000_000;

/** The user of a credential, and its expiry. */
export interface CachedIdentity {
  /** Null for an OAuth application's own token. */
  readonly viewer: Viewer | null;
  readonly expiresAt: Date | null;
}

/**
 * Caches users by credential; failures are not cached. `catchUp` is called before each use, and forgets what
 * has changed elsewhere.
 */
export function createIdentityCache<Entry extends CachedIdentity>(catchUp = () => {}) {
  /** The keys of each user, so that `forget` need not search all entries. */
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
  /** Lookups in progress. One that began before a change is not cached or shared after it. */
  let pending = new Map<string, Promise<Entry | null>>();

  const keep = (key: string, entry: Entry) => {
    entries.set(key, entry);
    const id = idOf(entry);
    keysOf.set(id, (keysOf.get(id) ?? new Set()).add(key));
  };

  return {
    /** The cached entry for `key`, else the result of `find`; concurrent calls share one lookup. */
    recall: (key: string, find: () => Promise<Entry | null>): Promise<Entry | null> => {
      catchUp();
      const cached = entries.get(key);
      if (cached && !isOver(cached)) return Promise.resolve(cached);
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
    forget: (userId: number) => {
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

/** No user has the id 0; the database sends no notification for tokens without a user. */
const idOf = ({ viewer }: CachedIdentity) => viewer?.id ?? 0;

const sizeOf = (viewer: Viewer | null) =>
  1 +
  (viewer?.groupLevels.size ?? 0) +
  (viewer?.groupPathIds.length ?? 0) +
  (viewer?.reachableIds?.length ?? 0) +
  (viewer?.projectIds?.length ?? 0) +
  (viewer?.knownGroupIds?.length ?? 0);
