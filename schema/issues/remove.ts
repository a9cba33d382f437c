import { deleteEvents } from '../activity/record.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, notFound } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { findIssue } from './find.ts';
import { lockIssue } from './lock.ts';
import { countOf, countOpen } from './numbers.ts';
import { canDeleteIssue } from './policy.ts';

/** Deletes an issue with its notes and award emoji; owners only. Its number is not reused. */
export async function removeIssue(ref: string, iid: number, ctx: Context): Promise<number> {
  try {
    const { id } = await findIssue(ref, iid, ctx, (_viewer, level) => canDeleteIssue(level));
    await transact(ctx.db, async (tx) => {
      const issue = await lockIssue(tx, id, { isLast: true });
      refuseModified(issue, ctx);
      await deleteEvents(tx, issue.projectId, 'issue', id);
      await tx.issue.delete({ where: { id }, select: { id: true } });
      await countOpen(tx, issue.projectId, -countOf(issue));
    });
    return id;
  } catch (error) {
    // only this endpoint names the record in its 404
    throw error instanceof DomainError && error.reason === 'record' ? notFound('Issue') : error;
  }
}
