/** Whether there may be jobs for runners that found none: known in memory, so that waiting costs no query. */
export interface JobNews {
  /** What a runner is told that finds nothing: opaque, and another when it may find something. */
  readonly current: string;
  /** Resolves as soon as it is another than `seen`, or the wait is over: by time, `signal` or a stop. */
  otherThan(seen: string, signal?: AbortSignal): Promise<void>;
}
