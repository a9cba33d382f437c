/** One that waits or runs in a queue. */
export interface Entrant {
  /** Callers of a group share its limits, e.g. all anonymous ones. */
  readonly group: string;
  readonly caller: string;
  /** Further limits, each for all running entries with its key. */
  readonly shares: readonly { readonly key: string; readonly limit: number }[];
}

export interface GroupLimits {
  /** Entries of the group that run concurrently. */
  readonly most: number;
  /** As many may start even if other groups hold all places: then more run than there are places. */
  readonly guaranteed: number;
  /** Entries of one caller that run concurrently. */
  readonly perCaller: number;
}

export interface PoolOptions {
  /** Entries that run concurrently, besides guaranteed ones. */
  readonly places: number;
  readonly limitsOf: (group: string) => GroupLimits;
}

/** Counts by key; a key without a count takes no memory. */
export function tally() {
  const counts = new Map<string, number>();
  const of = (key: string) => counts.get(key) ?? 0;
  return {
    of,
    add: (key: string, change: 1 | -1): void => {
      const count = of(key) + change;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
  };
}

export type Pool = ReturnType<typeof pool>;

/** A number of places, with limits for groups and callers. */
export function pool({ places, limitsOf }: PoolOptions) {
  const groups = tally();
  const callers = tally();
  let running = 0;

  const keyOf = ({ group, caller }: Entrant) => `${group} ${caller}`;
  /** Whether an entry of the group can start, unless its caller has too many. */
  const hasRoomFor = (group: string): boolean => {
    const { most, guaranteed } = limitsOf(group);
    const count = groups.of(group);
    return count < most && (running < places || count < guaranteed);
  };
  const isCallerFull = (entrant: Entrant): boolean =>
    callers.of(keyOf(entrant)) >= limitsOf(entrant.group).perCaller;

  return {
    hasRoomFor,
    isCallerFull,
    hasRoom: (entrant: Entrant): boolean => hasRoomFor(entrant.group) && !isCallerFull(entrant),
    add: (entrant: Entrant, change: 1 | -1): void => {
      running += change;
      groups.add(entrant.group, change);
      callers.add(keyOf(entrant), change);
    },
    runningOf: (entrant: Entrant): number => callers.of(keyOf(entrant)),
    running: (group?: string): number => (group === undefined ? running : groups.of(group)),
  };
}

/** What several queues may run together. */
export interface Together {
  readonly pool: Pool;
  /** The queues in which entries wait: each tries to start some when an entry of another one ends. */
  readonly waiting: Set<() => void>;
}

export const together = (options: PoolOptions): Together => ({
  pool: pool(options),
  waiting: new Set(),
});
