import type { Logger } from 'pino';

/** How often merges that a dead process left are looked for, where nothing else leads to them. */
const interval = 300_000;

export interface MergeWatch {
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/** Settles merges that a kill cut off: at a start, which does not wait for it, and now and then. */
export function settleLockedMerges(settle: () => Promise<void>, log: Logger): MergeWatch {
  const sweep = () => settle().catch((error) => log.error({ err: error }, 'merges unsettled'));
  let running = sweep();
  const timer = setInterval(() => {
    running = running.then(sweep);
  }, interval);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}
