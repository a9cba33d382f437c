import type { Context } from '../kernel/context.ts';
import { forbidden, pathNotFound, rejected } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { moveJob } from '../pipelines/move-job.ts';
import { retryJob } from '../pipelines/retry-job.ts';
import { artifactsOf } from './artifacts.ts';
import { findChangeableJob } from './find.ts';
import { canEraseJobs, isErasable, isPlayable, isRetryable } from './policy.ts';
import { startManualJob } from './start-manual.ts';
import { noArtifacts, sweepLater, sweepNow } from './sweep-files.ts';

/** Cancels an unfinished job; others stay unchanged. Returns its id. */
export async function cancelJob(ref: string, id: number, ctx: Context): Promise<number> {
  const job = await findChangeableJob(ref, id, ctx);
  await transact(ctx.db, (tx) => moveJob(tx, job, 'canceled', {}, ctx));
  return id;
}

const notRetryable = () => forbidden('Job is not retryable');

/** Retries a finished job as a further row, whose id it returns (v4-behaviour 3.9). */
export async function retryJobFor(ref: string, id: number, ctx: Context): Promise<number> {
  const { viewer, ...job } = await findChangeableJob(ref, id, ctx);
  if (!isRetryable(job)) throw notRetryable();
  const retriedId = await transact(ctx.db, (tx) => retryJob(tx, job, viewer.id, ctx));
  if (retriedId === null) throw notRetryable();
  return retriedId;
}

const unplayable = () => rejected('400 (Bad request) "Unplayable Job" not given');

/**
 * Starts a manual job, which then runs for the current user; retries a finished one. Returns the id
 * of the row that runs (v4-behaviour 3.9).
 */
export async function playJob(ref: string, id: number, ctx: Context): Promise<number> {
  const { viewer, ...job } = await findChangeableJob(ref, id, ctx);
  if (!isPlayable(job)) throw unplayable();
  const startedId = await transact(ctx.db, (tx) => startManualJob(tx, job, viewer.id, ctx));
  if (startedId === null) throw unplayable();
  return startedId;
}

/**
 * Permanently deletes the trace and artifacts of a finished job. Allowed for its user and masters.
 * Returns its id.
 */
export async function eraseJob(ref: string, id: number, ctx: Context): Promise<number> {
  const { viewer, level, ...job } = await findChangeableJob(ref, id, ctx);
  if (!canEraseJobs(viewer.id, level, job.userId)) throw forbidden();
  if (!isErasable(job)) throw forbidden('Job is not erasable!');
  // update the record first: later writes to the files are refused
  await transact(ctx.db, async (tx) => {
    const erased = { ...noArtifacts, traceSize: 0, erasedAt: new Date() };
    await tx.job.updateMany({ where: { id, projectId: job.projectId }, data: erased });
    await sweepLater(tx, [id], ctx);
  });
  // immediately, without waiting for the background job
  await sweepNow(id, ctx);
  return id;
}

/** Keeps the artifacts of a job until the job is deleted. Returns its id. */
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

/** Deletes the artifacts of a job, in the same way as `eraseJob`. */
export async function deleteArtifacts(ref: string, id: number, ctx: Context): Promise<void> {
  const { viewer, level, ...job } = await findChangeableJob(ref, id, ctx);
  if (!canEraseJobs(viewer.id, level, job.userId)) throw forbidden();
  if (!artifactsOf(job)) throw pathNotFound();
  await transact(ctx.db, async (tx) => {
    await tx.job.updateMany({ where: { id, projectId: job.projectId }, data: noArtifacts });
    await sweepLater(tx, [id], ctx);
  });
  await sweepNow(id, ctx);
}
