import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { findIssue } from './find.ts';
import { lockIssue } from './lock.ts';
import { notifyIssueChange } from './notify.ts';
import { canAdminIssues } from './policy.ts';
import { estimated, spent, spentNothing, type TimeChange } from './time-changes.ts';

/** How long an issue is expected to take, in words such as `3h30m`; reporters only (v4-behaviour 3.3). */
export const setTimeEstimate = (ref: string, iid: number, duration: string, ctx: Context) =>
  changeTime(ref, iid, ctx, estimated(duration));

/** Adds to the time that it took, or takes away from it with a minus; it never goes below none. */
export const addSpentTime = (ref: string, iid: number, duration: string, ctx: Context) =>
  changeTime(ref, iid, ctx, spent(duration));

/** Forgets all time that it took. */
export const resetSpentTime = (ref: string, iid: number, ctx: Context) =>
  changeTime(ref, iid, ctx, spentNothing);

/** Gives the issue's id. */
async function changeTime(
  ref: string,
  iid: number,
  ctx: Context,
  change: TimeChange,
): Promise<number> {
  const viewer = signedIn(ctx);
  const { id } = await findIssue(ref, iid, ctx, (_viewer, level) => canAdminIssues(level));
  await transact(ctx.db, async (tx) => {
    const before = await lockIssue(tx, id);
    const changed = change(before);
    if (!changed) return;
    await tx.issue.update({ where: { id }, data: changed.data, select: { id: true } });
    await recordSystemNotes(tx, { issueId: id }, viewer.id, [changed.sentence]);
    await notifyIssueChange(tx, before, { id, action: 'update', actorId: viewer.id, before }, ctx);
  });
  return id;
}
