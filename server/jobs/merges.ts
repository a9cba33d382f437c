import type { Logger } from 'pino';
import { type PeriodicWork, runPeriodically } from './periodic.ts';

/** How often merges that a dead process left are looked for, where nothing else leads to them. */
const interval = 300_000;

/** Has merges settled that a kill cut off: at a start, which does not wait for it, and now and then. */
export const watchLockedMerges = (enqueue: () => Promise<void>, log: Logger): PeriodicWork =>
  runPeriodically(interval, enqueue, (error) => log.error({ err: error }, 'merges'), enqueue());
