import type { Context } from '../kernel/context.ts';
import { forbidden, recordNotFound } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { lockPipeline } from '../pipelines/advance.ts';
import { cancelLocked } from '../pipelines/cancel.ts';
import { findPipelineProject } from '../pipelines/find.ts';
import { canDeletePipelines } from '../pipelines/policy.ts';
import { sweepDeletedLater } from './sweep-files.ts';

/**
 * Deletes a pipeline with its jobs, their traces and artifacts, and the statuses of external services
 * that it shows. Unfinished jobs are canceled first; their runners get 404 with their next update.
 */
export async function deletePipeline(ref: string, id: number, ctx: Context): Promise<void> {
  const project = await findPipelineProject(ref, ctx);
  if (!canDeletePipelines(project.level, project)) throw forbidden();
  await transact(ctx.db, async (tx) => {
    const pipeline = await lockPipeline(tx, id);
    if (pipeline?.projectId !== project.id) throw recordNotFound();
    const where = { id };
    const select = { updatedAt: true } as const;
    refuseModified(await tx.pipeline.findUniqueOrThrow({ where, select }), ctx);
    await cancelLocked(tx, pipeline, ctx);
    // a later upload of artifacts or piece of a trace finds no record to lock
    const jobs = await tx.job.findMany({
      where: { pipelineId: id },
      select: { id: true, projectId: true },
    });
    await sweepDeletedLater(tx, jobs, ctx);
    await tx.pipeline.delete({ where, select: { id: true } });
  });
}
