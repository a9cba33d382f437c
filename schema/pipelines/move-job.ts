import type { Transaction } from '../../prisma/client.ts';
import { advanceLocked, lockPipeline } from './advance.ts';
import { cloneJob } from './clone.ts';
import { type NotifyParts, notifyJobChanges } from './notify.ts';
import { type JobDetails, type MovableJob, startJob } from './start-job.ts';
import { type CiStatus, isFinished } from './status.ts';

export type { JobDetails, MovableJob };

/** The statuses from which a job may change (v4-behaviour 5.2); starts are in start-job.ts. */
const origins: Readonly<Record<Exclude<CiStatus, 'running'>, readonly CiStatus[]>> = {
  created: ['skipped'],
  pending: ['created', 'manual'],
  success: ['pending', 'running'],
  failed: ['created', 'pending', 'running'],
  canceled: ['created', 'pending', 'running', 'manual'],
  skipped: ['created'],
  manual: ['created'],
};

/**
 * Changes a job's status, and updates its pipeline: all status changes except starts use this.
 * Returns false and changes nothing when the job's current status does not allow it. A failed job
 * with automatic retries left is retried as a further row. Locks the pipeline first: the
 * transaction must not have locked a job before.
 */
export async function moveJob(
  tx: Transaction,
  job: MovableJob,
  to: CiStatus,
  details: JobDetails,
  parts: NotifyParts,
): Promise<boolean> {
  if (to === 'running') return startJob(tx, job, details, parts);
  const pipeline = await lockPipeline(tx, job.pipelineId);
  if (!pipeline) return false;
  const now = new Date();
  const { count } = await tx.job.updateMany({
    where: {
      id: job.id,
      pipelineId: pipeline.id,
      isRetried: false,
      status: { in: [...origins[to]] },
    },
    data: {
      ...(to === 'pending' && { queuedAt: now }),
      ...(isFinished(to) && { finishedAt: now }),
      ...details,
      status: to,
    },
  });
  if (count === 0) return false;
  await notifyJobChanges(tx, pipeline.projectId, [job.id], parts);
  const clone = to === 'failed' ? await tryAgain(tx, job.id) : null;
  if (clone !== null) await notifyJobChanges(tx, pipeline.projectId, [clone], parts);
  await advanceLocked(tx, pipeline, parts);
  return true;
}

async function tryAgain(tx: Transaction, id: number): Promise<number | null> {
  const { retriesLeft, userId } = await tx.job.findUniqueOrThrow({
    where: { id },
    select: { retriesLeft: true, userId: true },
  });
  return retriesLeft > 0 ? cloneJob(tx, id, { status: 'pending', userId }) : null;
}
