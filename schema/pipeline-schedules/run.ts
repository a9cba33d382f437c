import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, invalid } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { type PipelineParts, preparePipeline, storePipeline } from '../pipelines/create.ts';
import { type Refusal, refusals } from '../pipelines/target.ts';
import type { JobPayloads } from '../ports/jobs.ts';
import { findSchedule, scheduleNotFound } from './find.ts';
import { canCreateSchedules } from './policy.ts';
import { scheduleVariables } from './variables.ts';

interface Runnable {
  readonly id: number;
  readonly projectId: number;
  readonly ref: string;
}

/** The pipeline of a schedule, for a user, with the newest commit of its ref. */
async function prepareRun(schedule: Runnable, userId: number, parts: PipelineParts) {
  const variables = await scheduleVariables(schedule.id, parts);
  return preparePipeline(
    { id: schedule.projectId },
    {
      ref: schedule.ref,
      source: 'schedule',
      user: { id: userId },
      ...(Object.keys(variables).length > 0 && { variables }),
    },
    parts,
  );
}

interface LockedSchedule {
  readonly ref: string;
  readonly ownerId: number | null;
  readonly isActive: boolean;
  readonly lastRunAt: Date | null;
}

/** Locks a schedule after its project; null if it was deleted. */
async function lockSchedule(
  tx: Transaction,
  { id, projectId }: Runnable,
): Promise<LockedSchedule | null> {
  await tx.$queryRaw`SELECT id FROM projects WHERE id = ${projectId} FOR KEY SHARE`;
  const [locked] = await tx.$queryRaw<LockedSchedule[]>`
    SELECT ref, owner_id AS "ownerId", is_active AS "isActive", last_run_at AS "lastRunAt"
    FROM pipeline_schedules WHERE id = ${id} FOR UPDATE`;
  return locked ?? null;
}

const noOwner: Refusal = { refusal: refusals.user, isDenied: true };

/**
 * Handles the job of a due schedule. Idempotent: the time for which a run was due is stored with its
 * pipeline, and a run that a later one has overtaken creates none. If the owner may not run pipelines
 * of the ref, the schedule is deactivated; another failure is shown until a run succeeds.
 */
export async function runSchedule(
  payload: JobPayloads['run-schedule'],
  signal: AbortSignal,
  parts: PipelineParts,
): Promise<void> {
  const { scheduleId, dueAt } = payload;
  const due = new Date(dueAt);
  const isPending = (schedule: LockedSchedule | null) =>
    schedule?.isActive === true && (schedule.lastRunAt === null || schedule.lastRunAt < due);
  const schedule = await parts.db.pipelineSchedule.findUnique({ where: { id: scheduleId } });
  if (!schedule || !isPending(schedule)) return;
  const { ownerId, ref } = schedule;
  const prepared = ownerId === null ? noOwner : await prepareRun(schedule, ownerId, parts);
  signal.throwIfAborted();
  const isOvertaken = await transact(parts.db, async (tx) => {
    const locked = await lockSchedule(tx, schedule);
    if (locked === null || !isPending(locked)) return false;
    // changed while its pipeline was prepared, which is for its former owner or ref
    if (locked.ownerId !== ownerId || locked.ref !== ref) return true;
    const outcome =
      'refusal' in prepared
        ? { lastError: prepared.refusal, ...(prepared.isDenied && { isActive: false }) }
        : { lastError: null, lastPipelineId: await storePipeline(tx, prepared, parts) };
    const data = { ...outcome, lastRunAt: due };
    await tx.pipelineSchedule.update({ where: { id: scheduleId }, data });
    return false;
  });
  if (isOvertaken) await runSchedule(payload, signal, parts);
}

/** Creates a pipeline of a schedule at once, for the current user; returns its id. */
export async function runScheduleNow(ref: string, id: number, ctx: Context): Promise<number> {
  const schedule = await findSchedule(ref, id, ctx);
  const { project } = schedule;
  if (!canCreateSchedules(project.level, project)) throw forbidden();
  const prepared = await prepareRun(schedule, signedIn(ctx).id, ctx);
  if ('refusal' in prepared) {
    throw prepared.isDenied ? forbidden() : invalid({ base: [prepared.refusal] });
  }
  return transact(ctx.db, async (tx) => {
    const locked = await lockSchedule(tx, schedule);
    if (!locked) throw scheduleNotFound();
    if (locked.ref !== schedule.ref) throw conflict('The schedule was changed meanwhile');
    const lastPipelineId = await storePipeline(tx, prepared, ctx);
    await tx.pipelineSchedule.update({ where: { id }, data: { lastPipelineId } });
    return lastPipelineId;
  });
}
