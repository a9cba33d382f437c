import type { Transaction } from '../../prisma/client.ts';
import { advanceLocked, lockPipeline } from './advance.ts';
import { cloneJob } from './clone.ts';
import type { MovableJob } from './move-job.ts';
import { type NotifyParts, notifyJobChanges } from './notify.ts';
import { isFinished } from './status.ts';

/**
 * Retries a finished job as a further row that is queued at once; jobs skipped after it become
 * `created` again (v4-behaviour 5.2). Returns the row's id; null when the job is unfinished or was
 * retried already. Locks the pipeline first: the transaction must not have locked a job before.
 */
export async function retryJob(
  tx: Transaction,
  { id, pipelineId }: MovableJob,
  userId: number,
  parts: NotifyParts,
): Promise<number | null> {
  const pipeline = await lockPipeline(tx, pipelineId);
  const job = await tx.job.findFirst({
    where: { id, pipelineId, isRetried: false },
    select: { status: true, stageIndex: true },
  });
  if (!pipeline || !job || !isFinished(job.status)) return null;
  const clone = await cloneJob(tx, id, { status: 'pending', userId });
  await tx.job.updateMany({
    where: {
      pipelineId,
      isRetried: false,
      status: 'skipped',
      stageIndex: { gt: job.stageIndex },
    },
    data: { status: 'created' },
  });
  await notifyJobChanges(tx, pipeline.projectId, [clone], parts);
  await advanceLocked(tx, pipeline, parts);
  return clone;
}
