import type { Logger } from 'pino';
import { recordDeadLetter } from '../../schema/dead-letters/record.ts';
import type { Context } from '../../schema/kernel/context.ts';
import type { WorkOptions } from './queue.ts';

/** Records jobs that the queue gave up, and logs each of them once. */
export const recordDeadJobs = (
  parts: Pick<Context, 'db' | 'jobs'>,
  log: Logger,
): WorkOptions['onDeadJob'] => {
  return async (job) => {
    if (await recordDeadLetter(job, parts)) log.error({ ...job }, 'background job given up');
  };
};
