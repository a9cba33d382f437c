import type { Logger } from 'pino';
import { type PeriodicWork, runPeriodically } from './periodic.ts';

/** Interval at which a part of the directory's users is checked. */
const interval = 300_000;

/** Checks the directory's users periodically, the first time after one interval. */
export const watchDirectory = (check: () => Promise<void>, log: Logger): PeriodicWork =>
  runPeriodically(interval, check, (error) =>
    log.warn({ err: error }, 'the directory cannot be asked'),
  );
