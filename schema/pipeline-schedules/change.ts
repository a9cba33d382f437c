import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { invalid, notFound, refuseFaults } from '../kernel/errors.ts';
import { blankOrTooLong } from '../kernel/lengths.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { isStorable } from '../kernel/storable.ts';
import { lockKey, onRecordMissing, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { nextRunOf } from './cron.ts';
import {
  findChangeableSchedule,
  findSchedulableProject,
  type OwnedSchedule,
  ownerChanged,
  scheduleNotFound,
} from './find.ts';

export interface ScheduleInput {
  readonly description: string;
  readonly ref: string;
  readonly cron: string;
  readonly cronTimezone: string;
  readonly isActive: boolean;
}

const longestText = 255;

/** Per project; each of them may create a pipeline a minute. */
const mostSchedules = 100;

const textFaults = (text: string): readonly string[] =>
  isStorable(text) ? blankOrTooLong(text, longestText) : ['is invalid'];

/** The columns of a valid schedule, with the time of its next run; throws for an invalid one. */
function columnsOf({ cron: given, ...input }: ScheduleInput) {
  const cron = given.trim();
  const next = nextRunOf({ ...input, cron }, new Date());
  refuseFaults({
    description: textFaults(input.description),
    ref: textFaults(input.ref),
    ...('faults' in next && next.faults),
  });
  if (!('at' in next)) throw invalid({ cron: ['is invalid syntax'] });
  return { ...input, cron, nextRunAt: next.at };
}

/** Creates a schedule owned by the current user and returns its id. */
export async function createSchedule(
  ref: string,
  input: ScheduleInput,
  ctx: Context,
): Promise<number> {
  const { id: projectId } = await findSchedulableProject(ref, ctx);
  const columns = columnsOf(input);
  const data = { ...columns, projectId, ownerId: signedIn(ctx).id };
  const { id } = await transact(ctx.db, async (tx) => {
    await refuseTooMany(projectId, tx);
    return tx.pipelineSchedule.create({ data, select: { id: true } });
  }).catch(onRecordMissing(() => notFound('Project')));
  return id;
}

/** Serializes concurrent additions, so that each counts the others. */
async function refuseTooMany(projectId: number, tx: Transaction): Promise<void> {
  await lockKey(tx, `pipeline schedules:${projectId}`);
  if ((await tx.pipelineSchedule.count({ where: { projectId } })) < mostSchedules) return;
  throw invalid({ base: [`Maximum number of pipeline schedules (${mostSchedules}) exceeded`] });
}

/**
 * Updates a schedule that may have been deleted in between, or have got another owner: only a viewer who
 * is that owner is still permitted for certain.
 */
async function write(
  { id, ownerId }: OwnedSchedule,
  data: Partial<ScheduleInput & { readonly nextRunAt: Date; readonly ownerId: number }>,
  ctx: Context,
): Promise<void> {
  const { db } = ctx;
  const where = { id, OR: [{ ownerId }, { ownerId: signedIn(ctx).id }] };
  const { count } = await db.pipelineSchedule.updateMany({ where, data });
  if (count > 0) return;
  const isThere = (await db.pipelineSchedule.count({ where: { id } })) > 0;
  throw isThere ? ownerChanged() : scheduleNotFound();
}

/** Whether a change decides what runs or when, beyond what the owner had decided. */
const isDecisive = (
  { ref, cron, cronTimezone, isActive }: Partial<ScheduleInput>,
  before: ScheduleInput,
): boolean =>
  (ref !== undefined && ref !== before.ref) ||
  (cron !== undefined && cron.trim() !== before.cron) ||
  (cronTimezone !== undefined && cronTimezone !== before.cronTimezone) ||
  (isActive === true && !before.isActive);

/**
 * Changes the given fields. Runs happen in the name of the user who decided about them: another user who
 * changes the ref or the times, or activates the schedule, becomes its owner. The time of the next run
 * is computed again only if the times change or the schedule is activated: otherwise a run that is due
 * would be lost.
 */
export async function updateSchedule(
  ref: string,
  id: number,
  changes: Partial<ScheduleInput>,
  ctx: Context,
): Promise<void> {
  const before = await findChangeableSchedule(ref, id, ctx);
  const { description, cron, cronTimezone, isActive } = before;
  const current = { description, ref: before.ref, cron, cronTimezone, isActive };
  const { nextRunAt } = columnsOf({ ...current, ...changes });
  const isRetimed =
    changes.cron !== undefined ||
    changes.cronTimezone !== undefined ||
    (changes.isActive === true && !isActive);
  const trimmed = changes.cron !== undefined && { cron: changes.cron.trim() };
  const owner = isDecisive(changes, current) && { ownerId: signedIn(ctx).id };
  await write(before, { ...changes, ...trimmed, ...(isRetimed && { nextRunAt }), ...owner }, ctx);
}

/** Makes the current user the owner. */
export async function takeSchedule(ref: string, id: number, ctx: Context): Promise<void> {
  const schedule = await findChangeableSchedule(ref, id, ctx);
  await write(schedule, { ownerId: signedIn(ctx).id }, ctx);
}

/** Its pipelines stay. */
export async function deleteSchedule(ref: string, id: number, ctx: Context): Promise<void> {
  refuseModified(await findChangeableSchedule(ref, id, ctx), ctx);
  const { count } = await ctx.db.pipelineSchedule.deleteMany({ where: { id } });
  if (count === 0) throw scheduleNotFound();
}
