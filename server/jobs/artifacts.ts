import type { Logger } from 'pino';
import { type PeriodicWork, runPeriodically } from './periodic.ts';

/** The maximum delay between expiry and deletion of artifacts. */
const interval = 60_000;

/** Deletes expired artifacts periodically, the first time at once. */
export const watchArtifacts = (expire: () => Promise<void>, log: Logger): PeriodicWork =>
  runPeriodically(
    interval,
    expire,
    (error) => log.error({ err: error }, 'artifacts are kept too long'),
    expire(),
  );
