import { Prisma, type Transaction } from '../../prisma/client.ts';
import type { LockedPipeline } from './advance.ts';
import { type NotifyParts, notifyJobChanges, notifyPipelineChange } from './notify.ts';

export interface MovableJob {
  readonly id: number;
  readonly pipelineId: number;
}

/** The columns written when a job starts. */
export type JobDetails = Omit<
  Prisma.JobUncheckedUpdateManyInput,
  'id' | 'status' | 'projectId' | 'pipelineId' | 'definition'
>;

/** A pipeline whose jobs may start until the transaction ends. */
export type HeldPipeline = Pick<LockedPipeline, 'id' | 'projectId' | 'status'>;

/**
 * Locks a pipeline so that jobs can start. A running one is locked for share, so concurrent starts
 * do not wait for each other. Null when it was deleted or, unless `isPatient`, another transaction is
 * changing it.
 */
export async function holdForStart(
  tx: Transaction,
  id: number,
  isPatient: boolean,
): Promise<HeldPipeline | null> {
  const impatience = isPatient ? Prisma.empty : Prisma.sql`SKIP LOCKED`;
  const [shared] = await tx.$queryRaw<HeldPipeline[]>`
    SELECT id, project_id AS "projectId", status::text FROM pipelines
    WHERE id = ${id} AND status = 'running' FOR SHARE ${impatience}`;
  if (shared) return shared;
  const [own] = await tx.$queryRaw<HeldPipeline[]>`
    SELECT id, project_id AS "projectId", status::text FROM pipelines
    WHERE id = ${id} FOR UPDATE ${impatience}`;
  return own ?? null;
}

/** Starts a pending job, as `moveJob` does; false when it is no longer pending. */
export async function startJob(
  tx: Transaction,
  job: MovableJob,
  details: JobDetails,
  parts: NotifyParts,
): Promise<boolean> {
  const pipeline = await holdForStart(tx, job.pipelineId, true);
  return pipeline !== null && startHeld(tx, pipeline, job, details, parts);
}

/**
 * The same in a locked pipeline. A pipeline with a running job is `running`, and a start never
 * queues other jobs (v4-behaviour 5.2, 5.3): they need not be read.
 */
export async function startHeld(
  tx: Transaction,
  pipeline: HeldPipeline,
  job: MovableJob,
  details: JobDetails,
  parts: NotifyParts,
): Promise<boolean> {
  const now = new Date();
  const { count } = await tx.job.updateMany({
    where: { id: job.id, pipelineId: pipeline.id, isRetried: false, status: 'pending' },
    data: { startedAt: now, ...details, status: 'running' },
  });
  if (count === 0) return false;
  await notifyJobChanges(tx, pipeline.projectId, [job.id], parts);
  if (pipeline.status === 'running') return true;
  await tx.$executeRaw`
    UPDATE pipelines SET status = 'running', updated_at = ${now},
      started_at = coalesce(started_at, ${now}), duration = coalesce(duration, 0)
    WHERE id = ${pipeline.id}`;
  await notifyPipelineChange(tx, pipeline, parts);
  return true;
}
