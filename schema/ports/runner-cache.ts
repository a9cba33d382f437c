/** The runner fields that decide which jobs it gets. */
export interface CachedRunner {
  readonly id: number;
  readonly isShared: boolean;
  readonly isActive: boolean;
  readonly runsUntagged: boolean;
  readonly access: 'not_protected' | 'ref_protected';
  readonly tags: readonly string[];
  readonly description: string | null;
  /** As last recorded by this process. */
  contactedAt: Date | null;
  /** Its last request to this process returned a job, so there may be another. */
  gotJobLastTime?: boolean;
}

/**
 * A cache of runners by token, because runners poll constantly; invalidated by database
 * notifications.
 */
export interface RunnerCache {
  /** The cached runner of the token, or the result of `find`. A null result is not cached. */
  recall(token: string, find: () => Promise<CachedRunner | null>): Promise<CachedRunner | null>;
  /** Invalidates a changed or removed runner at once, ahead of the database notification. */
  forget(runnerId: number): void;
}
