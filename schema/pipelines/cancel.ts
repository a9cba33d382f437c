import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { advanceLocked, lockPipeline } from './advance.ts';
import { findChangeablePipeline } from './find.ts';
import { notifyJobChanges } from './notify.ts';

/** Statuses of jobs that run, or will run automatically. */
const open = ['created', 'pending', 'running'] as const;

/**
 * Cancels the unfinished jobs of a pipeline; a runner learns of it with its next update. A pipeline
 * that waits for manual jobs is canceled with them. Without unfinished jobs nothing changes.
 * Returns the pipeline's id.
 */
export async function cancelPipeline(ref: string, id: number, ctx: Context): Promise<number> {
  const { projectId } = await findChangeablePipeline(ref, id, ctx);
  await transact(ctx.db, async (tx) => {
    const pipeline = await lockPipeline(tx, id);
    if (!pipeline) return;
    const canceled = await tx.job.updateManyAndReturn({
      where: {
        pipelineId: id,
        isRetried: false,
        status: { in: [...open, ...(pipeline.status === 'manual' ? (['manual'] as const) : [])] },
      },
      data: { status: 'canceled', finishedAt: new Date() },
      select: { id: true },
    });
    if (canceled.length === 0) return;
    const ids = canceled.map((job) => job.id);
    await notifyJobChanges(tx, projectId, ids, ctx);
    // canceled even if a job had failed before (specification, "Pipeline status")
    await advanceLocked(tx, pipeline, ctx, () => 'canceled');
  });
  return id;
}
