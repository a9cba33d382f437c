import type { Logger } from 'pino';
import { type PeriodicWork, runPeriodically } from './periodic.ts';

/** Milliseconds: runners that are cut off for minutes come back. */
const fiveMinutes = 300_000;

/** Looks for jobs whose runners say nothing now and then, the first time after one interval. */
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

/** Milliseconds: a job ends within a minute of when it may no longer run. */
const aMinute = 60_000;

/** Looks for jobs that run past their timeout, the first time after one interval. */
export const watchOverdueJobs = (round: () => Promise<void>, log: Logger): PeriodicWork =>
  runPeriodically(aMinute, round, (error) => log.error({ err: error }, 'overdue jobs'));
