import type { Logger } from 'pino';
import { type PeriodicWork, runPeriodically } from './periodic.ts';

/** How often people of the directory are looked for there, a part of them each time. */
const interval = 300_000;

/** Asks for the directory's people now and then, the first time after one interval. */
export const watchDirectory = (check: () => Promise<void>, log: Logger): PeriodicWork =>
  runPeriodically(interval, check, (error) =>
    log.warn({ err: error }, 'the directory cannot be asked'),
  );
