import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { advanceLocked, lockPipeline } from './advance.ts';
import { cloneJob } from './clone.ts';
import { findChangeablePipeline } from './find.ts';

/**
 * Retries the failed and canceled jobs of a pipeline, as further rows; skipped ones become
 * `created` again. Changes nothing if no job can be retried. Concurrent calls retry once. Returns
 * the pipeline's id.
 */
export async function retryPipeline(ref: string, id: number, ctx: Context): Promise<number> {
  await findChangeablePipeline(ref, id, ctx);
  const { id: userId } = signedIn(ctx);
  await transact(ctx.db, async (tx) => {
    const pipeline = await lockPipeline(tx, id);
    if (!pipeline) return;
    const left = await tx.job.findMany({
      where: { pipelineId: id, isRetried: false, status: { in: ['failed', 'canceled'] } },
      orderBy: { id: 'asc' },
      select: { id: true },
    });
    if (left.length === 0) return;
    for (const job of left) await cloneJob(tx, job.id, { status: 'created', userId });
    await tx.job.updateMany({
      where: { pipelineId: id, isRetried: false, status: 'skipped' },
      data: { status: 'created' },
    });
    // a retried job makes the pipeline pending, whatever else has ended (specification, "Pipeline
    // status")
    await advanceLocked(tx, pipeline, ctx, (computed) =>
      computed === 'running' ? 'pending' : computed,
    );
  });
  return id;
}
