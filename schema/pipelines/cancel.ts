import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { advanceLocked, type LockedPipeline, lockPipeline } from './advance.ts';
import { findChangeablePipeline } from './find.ts';
import { type NotifyParts, notifyJobChanges } from './notify.ts';

/** Statuses of jobs that run, or will run automatically. */
const open = ['created', 'pending', 'running'] as const;

/**
 * Cancels the unfinished jobs of a pipeline; a runner learns of it with its next update. A pipeline
 * that waits for manual jobs is canceled with them. Without unfinished jobs nothing changes.
 * Returns the pipeline's id.
 */
export async function cancelPipeline(ref: string, id: number, ctx: Context): Promise<number> {
  await findChangeablePipeline(ref, id, ctx);
  await transact(ctx.db, async (tx) => {
    const pipeline = await lockPipeline(tx, id);
    if (pipeline) await cancelLocked(tx, pipeline, ctx);
  });
  return id;
}

/** The same for a locked pipeline. */
export async function cancelLocked(
  tx: Transaction,
  pipeline: LockedPipeline,
  parts: NotifyParts,
): Promise<void> {
  const canceled = await tx.job.updateManyAndReturn({
    where: {
      pipelineId: pipeline.id,
      isRetried: false,
      status: { in: [...open, ...(pipeline.status === 'manual' ? (['manual'] as const) : [])] },
    },
    data: { status: 'canceled', finishedAt: new Date() },
    select: { id: true },
  });
  if (canceled.length === 0) return;
  const ids = canceled.map((job) => job.id);
  await notifyJobChanges(tx, pipeline.projectId, ids, parts);
  // canceled even if a job had failed before (specification, "Pipeline status")
  await advanceLocked(tx, pipeline, parts, () => 'canceled');
}
