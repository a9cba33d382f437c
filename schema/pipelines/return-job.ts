import type { Prisma, Transaction } from '../../prisma/client.ts';
import { advanceLocked, lockPipeline } from './advance.ts';
import { type NotifyParts, notifyJobChanges } from './notify.ts';
import type { MovableJob } from './start-job.ts';

/**
 * Queues a job again that its runner never received: no update has arrived, and its token becomes
 * invalid. Returns false and changes nothing when the job no longer runs, an update has arrived, or
 * `given` does not match. Locks the pipeline first.
 */
export async function returnJob(
  tx: Transaction,
  { id, pipelineId }: MovableJob,
  given: Prisma.JobWhereInput,
  parts: NotifyParts,
): Promise<boolean> {
  const pipeline = await lockPipeline(tx, pipelineId);
  if (!pipeline) return false;
  const withoutUpdate = {
    status: 'running',
    isRetried: false,
    traceSize: 0,
    artifactsFile: null,
  } as const;
  const { count } = await tx.job.updateMany({
    where: { AND: [{ id, pipelineId, ...withoutUpdate }, given] },
    data: {
      status: 'pending',
      startedAt: null,
      heardAt: null,
      deadlineAt: null,
      runnerId: null,
      tokenDigest: null,
      tokenSealed: null,
    },
  });
  if (count === 0) return false;
  await notifyJobChanges(tx, pipeline.projectId, [id], parts);
  await advanceLocked(tx, pipeline, parts);
  return true;
}
