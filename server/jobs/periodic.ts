/** Work that comes round again, until it is stopped. */
export interface PeriodicWork {
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/**
 * Does `work` every so many milliseconds, one round after the other; `begun` is a round under way
 * already. What fails is told to `onError`, and the next round comes all the same.
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
