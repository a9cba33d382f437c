import type { Logger } from 'pino';
import { nowAndThen, type Rounds } from './now-and-then.ts';

/** Milliseconds: runners that are cut off for minutes come back. */
const fiveMinutes = 300_000;

/** Looks for jobs whose runners say nothing now and then, the first time after one interval. */
export const watchSilentJobs = (rounds: readonly (() => Promise<void>)[], log: Logger): Rounds =>
  nowAndThen(
    fiveMinutes,
    async () => {
      for (const round of rounds) await round();
    },
    (error) => log.error({ err: error }, 'silent jobs'),
  );

/** Milliseconds: a job ends within a minute of when it may no longer run. */
const aMinute = 60_000;

/** Looks for jobs that run past their timeout, the first time after one interval. */
export const watchOverdueJobs = (round: () => Promise<void>, log: Logger): Rounds =>
  nowAndThen(aMinute, round, (error) => log.error({ err: error }, 'overdue jobs'));
