/**
 * Signals that runners without a job may find one: kept in memory, so that waiting needs no query.
 */
export interface JobNews {
  /** An opaque value for a runner that got no job; it changes when there may be one. */
  readonly current: string;
  /**
   * Resolves when the value differs from `seen`, or when the wait ends: by timeout, `signal` or
   * shutdown.
   */
  otherThan(seen: string, signal?: AbortSignal): Promise<void>;
}
