import type { Logger } from 'pino';
import { type PeriodicWork, runPeriodically } from './periodic.ts';

/** How long artifacts may be there after their time, at most. */
const interval = 60_000;

/** Has artifacts whose time has come forgotten now and then, the first time at once. */
export const watchArtifacts = (expire: () => Promise<void>, log: Logger): PeriodicWork =>
  runPeriodically(
    interval,
    expire,
    (error) => log.error({ err: error }, 'artifacts are kept too long'),
    expire(),
  );
