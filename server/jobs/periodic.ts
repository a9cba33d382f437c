/** Periodic work, until it is stopped. */
export interface PeriodicWork {
  /** Waits for the current run. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `interval` milliseconds, never concurrently; `begun` is a run already in
 * progress. A failure is passed to `onError` and does not end the repetition.
 */
export function runPeriodically(
  interval: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
  begun: Promise<void> = Promise.resolve(),
): PeriodicWork {
  let running = begun.catch(onError);
  const timer = setInterval(() => {
    running = running.then(work).catch(onError);
  }, interval);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}
