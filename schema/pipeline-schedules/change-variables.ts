import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { invalid, notFound, refuseFaults } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { keyFaults, valueFaults } from '../variables/faults.ts';
import { variablesTogetherFaults } from '../variables/pipeline-variables.ts';
import {
  findChangeableSchedule,
  type OwnedSchedule,
  ownerChanged,
  scheduleNotFound,
} from './find.ts';
import { scheduleVariables } from './variables.ts';

const variableNotFound = () => notFound('Pipeline Schedule Variable');

/**
 * Serializes changes of a schedule's variables, which are limited together. The user whose change it is
 * becomes the owner: the variables decide what runs in the owner's name.
 */
async function lockForChange(
  tx: Transaction,
  { id, ownerId }: OwnedSchedule,
  { id: userId }: Pick<Viewer, 'id'>,
): Promise<void> {
  const [schedule] = await tx.$queryRaw<OwnedSchedule[]>`
    SELECT id, owner_id AS "ownerId" FROM pipeline_schedules WHERE id = ${id} FOR UPDATE`;
  if (!schedule) throw scheduleNotFound();
  if (schedule.ownerId === userId) return;
  if (schedule.ownerId !== ownerId) throw ownerChanged();
  await tx.pipelineSchedule.update({ where: { id }, data: { ownerId: userId } });
}

/** Adds a variable to a schedule and returns its id; throws if the key is invalid or taken. */
export async function createScheduleVariable(
  ref: string,
  id: number,
  { key, value }: { readonly key: string; readonly value: string },
  ctx: Context,
): Promise<number> {
  const schedule = await findChangeableSchedule(ref, id, ctx);
  refuseFaults({ key: keyFaults(key), value: valueFaults(value) });
  const variable = await transact(ctx.db, async (tx) => {
    await lockForChange(tx, schedule, signedIn(ctx));
    const others = await scheduleVariables(id, { db: tx, secrets: ctx.secrets });
    refuseFaults({ variables: variablesTogetherFaults({ ...others, [key]: value }) });
    const data = { scheduleId: id, key, valueSealed: ctx.secrets.seal(value) };
    return tx.pipelineScheduleVariable.create({ data, select: { id: true } });
  }).catch(onUniqueViolation(() => invalid({ key: ['has already been taken'] })));
  return variable.id;
}

/** The variable of a schedule that the viewer may change. */
async function findVariable(ref: string, scheduleId: number, key: string, ctx: Context) {
  const schedule = await findChangeableSchedule(ref, scheduleId, ctx);
  const where = { scheduleId_key: { scheduleId, key } };
  const found = ctx.db.pipelineScheduleVariable.findUnique({ where });
  return { schedule, variable: await orThrow(found, variableNotFound) };
}

/** Changes the value of a variable; returns its id. */
export async function updateScheduleVariable(
  ref: string,
  scheduleId: number,
  { key, value }: { readonly key: string; readonly value?: string | undefined },
  ctx: Context,
): Promise<number> {
  const { schedule, variable } = await findVariable(ref, scheduleId, key, ctx);
  const { id } = variable;
  if (value === undefined) return id;
  refuseFaults({ value: valueFaults(value) });
  const { count } = await transact(ctx.db, async (tx) => {
    await lockForChange(tx, schedule, signedIn(ctx));
    const others = await scheduleVariables(scheduleId, { db: tx, secrets: ctx.secrets });
    refuseFaults({ variables: variablesTogetherFaults({ ...others, [key]: value }) });
    const data = { valueSealed: ctx.secrets.seal(value) };
    return tx.pipelineScheduleVariable.updateMany({ where: { id }, data });
  });
  if (count === 0) throw variableNotFound();
  return id;
}

/** Deletes a variable and returns it as it was. */
export async function deleteScheduleVariable(
  ref: string,
  scheduleId: number,
  key: string,
  ctx: Context,
) {
  const { schedule, variable } = await findVariable(ref, scheduleId, key, ctx);
  const where = { id: variable.id };
  const { count } = await transact(ctx.db, async (tx) => {
    await lockForChange(tx, schedule, signedIn(ctx));
    return tx.pipelineScheduleVariable.deleteMany({ where });
  });
  if (count === 0) throw variableNotFound();
  return variable;
}
