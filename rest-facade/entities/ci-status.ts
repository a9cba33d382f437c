import { s } from '../kernel/shape.ts';

/** The statuses of jobs and pipelines. */
export const ciStatuses = [
  'created',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
] as const;

export const ciStatus = () => s.choice(ciStatuses);
