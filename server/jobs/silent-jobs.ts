import type { Logger } from 'pino';
import { nowAndThen, type Rounds } from './now-and-then.ts';

/** Milliseconds: runners that are cut off for minutes come back. */
const fiveMinutes = 300_000;

/** Looks for jobs whose runners have fallen silent now and then, the first time after one interval. */
export const watchSilentJobs = (failSilent: () => Promise<void>, log: Logger): Rounds =>
  nowAndThen(fiveMinutes, failSilent, (error) => log.error({ err: error }, 'silent jobs'));
