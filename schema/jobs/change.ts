import type { Context } from '../kernel/context.ts';
import { forbidden, pathNotFound, rejected } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { moveJob } from '../pipelines/move-job.ts';
import { retryJob } from '../pipelines/retry-job.ts';
import { artifactsOf } from './artifacts.ts';
import { findChangeableJob } from './find.ts';
import { canEraseJobs, isErasable, isPlayable, isRetryable } from './policy.ts';
import { noArtifacts, sweepJobFiles, sweepLater } from './sweep-files.ts';

/** Cancels a job that has not ended; any other stays as it is. Gives its id. */
export async function cancelJob(ref: string, id: number, ctx: Context): Promise<number> {
  const job = await findChangeableJob(ref, id, ctx);
  await transact(ctx.db, (tx) => moveJob(tx, job, 'canceled', {}, ctx));
  return id;
}

const notRetryable = () => forbidden('Job is not retryable');

/** Tries a job again that has ended, as a further row, whose id it gives (v4-behaviour 3.9). */
export async function retryJobFor(ref: string, id: number, ctx: Context): Promise<number> {
  const { viewer, ...job } = await findChangeableJob(ref, id, ctx);
  if (!isRetryable(job)) throw notRetryable();
  const made = await transact(ctx.db, (tx) => retryJob(tx, job, viewer.id, ctx));
  if (made === null) throw notRetryable();
  return made;
}

const unplayable = () => rejected('400 (Bad request) "Unplayable Job" not given');

/**
 * Starts a job that waits for somebody to do so, and from now on runs for them; one that has ended is
 * tried again. Gives the id of the row that runs (v4-behaviour 3.9).
 */
export async function playJob(ref: string, id: number, ctx: Context): Promise<number> {
  const { viewer, ...job } = await findChangeableJob(ref, id, ctx);
  if (!isPlayable(job)) throw unplayable();
  const made = await transact(ctx.db, async (tx) => {
    if (job.status !== 'manual') return retryJob(tx, job, viewer.id, ctx);
    return (await moveJob(tx, job, 'pending', { userId: viewer.id }, ctx)) ? id : null;
  });
  if (made === null) throw unplayable();
  return made;
}

/**
 * Removes the trace and the artifacts of a job that has ended, for good: whoever it ran for, and
 * masters. Gives its id.
 */
export async function eraseJob(ref: string, id: number, ctx: Context): Promise<number> {
  const { viewer, level, ...job } = await findChangeableJob(ref, id, ctx);
  if (!canEraseJobs(viewer.id, level, job.userId)) throw forbidden();
  if (!isErasable(job)) throw forbidden('Job is not erasable!');
  // its record first: whoever still writes to it is refused from then on
  await transact(ctx.db, async (tx) => {
    const erased = { ...noArtifacts, traceSize: 0, erasedAt: new Date() };
    await tx.job.updateMany({ where: { id, projectId: job.projectId }, data: erased });
    await sweepLater(tx, [id], ctx);
  });
  // at once, where nothing comes between
  await sweepJobFiles(id, ctx);
  return id;
}

/** Keeps the artifacts of a job for as long as it is there. Gives its id. */
export async function keepArtifacts(ref: string, id: number, ctx: Context): Promise<number> {
  const job = await findChangeableJob(ref, id, ctx);
  if (!artifactsOf(job)) throw pathNotFound();
  const { count } = await ctx.db.job.updateMany({
    where: { id, artifactsFile: { not: null } },
    data: { artifactsExpireAt: null },
  });
  if (count === 0) throw pathNotFound();
  return id;
}

/** Removes the artifacts of a job alone, as `eraseJob` does with all of it. */
export async function deleteArtifacts(ref: string, id: number, ctx: Context): Promise<void> {
  const { viewer, level, ...job } = await findChangeableJob(ref, id, ctx);
  if (!canEraseJobs(viewer.id, level, job.userId)) throw forbidden();
  if (!artifactsOf(job)) throw pathNotFound();
  await transact(ctx.db, async (tx) => {
    await tx.job.updateMany({ where: { id, projectId: job.projectId }, data: noArtifacts });
    await sweepLater(tx, [id], ctx);
  });
  await sweepJobFiles(id, ctx);
}
