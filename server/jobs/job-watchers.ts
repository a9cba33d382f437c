import type { Logger } from 'pino';
import { type PeriodicWork, runPeriodically } from './periodic.ts';

/** Milliseconds; runners may reconnect after minutes offline. */
const fiveMinutes = 300_000;

/** Checks periodically for jobs of unresponsive runners, the first time after one interval. */
export const watchUnresponsiveJobs = (
  rounds: readonly (() => Promise<void>)[],
  log: Logger,
): PeriodicWork =>
  runPeriodically(
    fiveMinutes,
    async () => {
      for (const round of rounds) await round();
    },
    (error) => log.error({ err: error }, 'silent jobs'),
  );

/** Milliseconds; a job ends within a minute of its deadline. */
const aMinute = 60_000;

/** Checks periodically for jobs past their timeout, the first time after one interval. */
export const watchOverdueJobs = (round: () => Promise<void>, log: Logger): PeriodicWork =>
  runPeriodically(aMinute, round, (error) => log.error({ err: error }, 'overdue jobs'));
