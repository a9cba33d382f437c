import type { Logger } from 'pino';
import { type PeriodicWork, runPeriodically } from './periodic.ts';

/** Interval of the check for merges that a dead process left unfinished. */
const interval = 300_000;

/** Settles merges that a kill cut off: at startup, which does not wait for it, and periodically. */
export const watchLockedMerges = (enqueue: () => Promise<void>, log: Logger): PeriodicWork =>
  runPeriodically(interval, enqueue, (error) => log.error({ err: error }, 'merges'), enqueue());
