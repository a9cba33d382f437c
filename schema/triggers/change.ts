import { randomBytes } from 'node:crypto';
import type { Context } from '../kernel/context.ts';
import { notFound, refuseFaults } from '../kernel/errors.ts';
import { tooLong } from '../kernel/lengths.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { onRecordMissing } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { findTrigger, findTriggersProject, triggerNotFound } from './find.ts';

const maxDescriptionLength = 255;

const faultsOf = (description: string) => ({
  description: tooLong(description, maxDescriptionLength),
});

/** 30 hexadecimal characters, as for runners. */
const newTriggerToken = (): string => randomBytes(15).toString('hex');

/** Creates a trigger owned by the current user and returns its id. */
export async function createTrigger(
  ref: string,
  description: string,
  ctx: Context,
): Promise<number> {
  const { id: projectId } = await findTriggersProject(ref, ctx);
  refuseFaults(faultsOf(description));
  const token = newTriggerToken();
  const { db, secrets } = ctx;
  const { id } = await db.trigger
    .create({
      data: {
        projectId,
        ownerId: signedIn(ctx).id,
        description,
        tokenDigest: secrets.digest(token),
        tokenSealed: secrets.seal(token),
      },
      select: { id: true },
    })
    .catch(onRecordMissing(() => notFound('Project')));
  return id;
}

/** Updates a trigger that may have been deleted in between. */
async function write(
  id: number,
  data: { readonly description?: string; readonly ownerId?: number },
  { db }: Context,
): Promise<void> {
  const { count } = await db.trigger.updateMany({ where: { id }, data });
  if (count === 0) throw triggerNotFound();
}

/** Changes the description. */
export async function updateTrigger(
  ref: string,
  id: number,
  { description }: { readonly description?: string | undefined },
  ctx: Context,
): Promise<void> {
  await findTrigger(ref, id, ctx);
  if (description === undefined) return;
  refuseFaults(faultsOf(description));
  await write(id, { description }, ctx);
}

/** Makes the current user the owner. */
export async function lockTrigger(ref: string, id: number, ctx: Context): Promise<void> {
  await findTrigger(ref, id, ctx);
  await write(id, { ownerId: signedIn(ctx).id }, ctx);
}

/** Its pipelines stay. */
export async function deleteTrigger(ref: string, id: number, ctx: Context): Promise<void> {
  refuseModified(await findTrigger(ref, id, ctx), ctx);
  const { count } = await ctx.db.trigger.deleteMany({ where: { id } });
  if (count === 0) throw triggerNotFound();
}
