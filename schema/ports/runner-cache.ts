/** What of a runner decides on the jobs it is given. */
export interface CachedRunner {
  readonly id: number;
  readonly isShared: boolean;
  readonly isActive: boolean;
  readonly runsUntagged: boolean;
  readonly access: 'not_protected' | 'ref_protected';
  readonly tags: readonly string[];
  readonly description: string | null;
  /** As far as this process noted it. */
  contactedAt: Date | null;
  /** Its last question here was answered with a job: there may well be another. */
  gotJobLastTime?: boolean;
}

/** Runners by their tokens, remembered until the database says that one changed: they ask all the time. */
export interface RunnerCache {
  /** Whom `find` gives for the token, unless it is remembered. That there is none is not. */
  recall(token: string, find: () => Promise<CachedRunner | null>): Promise<CachedRunner | null>;
  /** Whoever has changed or removed a runner does so, beside what the database tells. */
  forget(runnerId: number): void;
}
