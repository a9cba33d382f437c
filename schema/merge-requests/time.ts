import { estimated, spent, spentNothing, type TimeChange } from '../issues/time-changes.ts';
import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { findMergeRequest } from './find.ts';
import { lockMergeRequest } from './lock.ts';
import { canAdminMergeRequests } from './policy.ts';

/** How long it is expected to take, in words such as `3h30m`; developers only (v4-behaviour 3.4). */
export const setTimeEstimate = (ref: string, iid: number, duration: string, ctx: Context) =>
  changeTime(ref, iid, ctx, () => estimated(duration));

/** Adds to the time that it took, or takes away from it with a minus; it never goes below none. */
export const addSpentTime = (ref: string, iid: number, duration: string, ctx: Context) =>
  changeTime(ref, iid, ctx, () => spent(duration));

/** Forgets all time that it took. */
export const resetSpentTime = (ref: string, iid: number, ctx: Context) =>
  changeTime(ref, iid, ctx, () => spentNothing);

/** Gives the merge request's id; what is said of the time is read by those only who may change it. */
async function changeTime(
  ref: string,
  iid: number,
  ctx: Context,
  changeOf: () => TimeChange,
): Promise<number> {
  const viewer = signedIn(ctx);
  const { id } = await findMergeRequest(ref, iid, ctx, (_viewer, level, { project }) =>
    canAdminMergeRequests(level, project),
  );
  const change = changeOf();
  await transact(ctx.db, async (tx) => {
    const changed = change(await lockMergeRequest(tx, id));
    if (!changed) return;
    await tx.mergeRequest.update({ where: { id }, data: changed.data, select: { id: true } });
    await recordSystemNotes(tx, { mergeRequestId: id }, viewer.id, [changed.sentence]);
  });
  return id;
}
