import type { Transaction } from '../../prisma/client.ts';
import { moveJob } from '../pipelines/move-job.ts';
import type { NotifyParts } from '../pipelines/notify.ts';
import { retryJob } from '../pipelines/retry-job.ts';
import type { MovableJob } from '../pipelines/start-job.ts';
import type { CiStatus } from '../pipelines/status.ts';

/**
 * Starts a manual job for a user; retries a finished one. Returns the id of the row that runs, null if
 * the job cannot start. Locks the pipeline first.
 */
export async function startManualJob(
  tx: Transaction,
  job: MovableJob & { readonly status: CiStatus },
  userId: number,
  parts: NotifyParts,
): Promise<number | null> {
  if (job.status !== 'manual') return retryJob(tx, job, userId, parts);
  return (await moveJob(tx, job, 'pending', { userId }, parts)) ? job.id : null;
}
