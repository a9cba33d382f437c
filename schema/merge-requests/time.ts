import type { TimeChange } from '../issuables/time-changes.ts';
import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { findMergeRequest } from './find.ts';
import { lockMergeRequest } from './lock.ts';
import { canAdminMergeRequests } from './policy.ts';

/**
 * Changes the estimate or the time spent; developers only (v4-behaviour 3.4). Only they learn that a
 * duration is invalid. Gives the merge request's id.
 */
export async function changeMergeRequestTime(
  ref: string,
  iid: number,
  changeOf: () => TimeChange,
  ctx: Context,
): Promise<number> {
  const viewer = signedIn(ctx);
  const { id } = await findMergeRequest(ref, iid, ctx, (_viewer, level, { project }) =>
    canAdminMergeRequests(level, project),
  );
  const change = changeOf();
  await transact(ctx.db, async (tx) => {
    const difference = change(await lockMergeRequest(tx, id));
    if (!difference) return;
    await tx.mergeRequest.update({ where: { id }, data: difference.data, select: { id: true } });
    await recordSystemNotes(tx, { mergeRequestId: id }, viewer.id, [difference.sentence]);
  });
  return id;
}
