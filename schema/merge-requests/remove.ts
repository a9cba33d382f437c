import { deleteEvents } from '../activity/record.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { findMergeRequest } from './find.ts';
import { lockMergeRequest } from './lock.ts';
import { canDeleteMergeRequest } from './policy.ts';

/**
 * Deletes a merge request with its notes and award emoji; owners only. Its number is not reused.
 */
export async function removeMergeRequest(ref: string, iid: number, ctx: Context): Promise<number> {
  const { id, project } = await findMergeRequest(ref, iid, ctx, (_viewer, level, mergeRequest) =>
    canDeleteMergeRequest(level, mergeRequest.project),
  );
  await transact(ctx.db, async (tx) => {
    const mergeRequest = await lockMergeRequest(tx, id, { isLast: true });
    // the target branch may have moved already
    if (mergeRequest.state === 'locked') throw conflict('Merge request is being merged');
    refuseModified(mergeRequest, ctx);
    await deleteEvents(tx, project.id, 'merge_request', id);
    await tx.mergeRequest.delete({ where: { id }, select: { id: true } });
  });
  await ctx.git.dropMergeHead(project, iid);
  return id;
}
