import type { TimeChange } from '../issuables/time-changes.ts';
import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { findIssue } from './find.ts';
import { lockIssue } from './lock.ts';
import { notifyIssueChange } from './notify.ts';
import { canAdminIssues } from './policy.ts';

/** Changes the estimate or the time spent; reporters only (v4-behaviour 3.3). Gives the issue's id. */
export async function changeIssueTime(
  ref: string,
  iid: number,
  changeOf: () => TimeChange,
  ctx: Context,
): Promise<number> {
  const change = changeOf();
  const viewer = signedIn(ctx);
  const { id } = await findIssue(ref, iid, ctx, (_viewer, level) => canAdminIssues(level));
  await transact(ctx.db, async (tx) => {
    const before = await lockIssue(tx, id);
    const difference = change(before);
    if (!difference) return;
    await tx.issue.update({ where: { id }, data: difference.data, select: { id: true } });
    await recordSystemNotes(tx, { issueId: id }, viewer.id, [difference.sentence]);
    await notifyIssueChange(tx, before, { id, action: 'update', actorId: viewer.id, before }, ctx);
  });
  return id;
}
