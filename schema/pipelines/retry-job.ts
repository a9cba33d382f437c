import type { Transaction } from '../../prisma/client.ts';
import { advanceLocked, lockPipeline } from './advance.ts';
import { cloneJob } from './clone.ts';
import type { MovableJob } from './move-job.ts';
import { type NotifyParts, notifyJobChanges } from './notify.ts';
import { isFinished } from './status.ts';

/**
 * Tries a job that has ended again at once, as a further row, for somebody; what was skipped after it
 * has its turn again (v4-behaviour 5.2). Gives the row's id; null when it has not ended, or was tried
 * again already. Its pipeline is taken first: no job may be held by the transaction before.
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
