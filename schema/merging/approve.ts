import type { Context } from '../kernel/context.ts';
import { recordNotFound, unauthenticated } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { currentHead } from '../merge-requests/current.ts';
import { findMergeRequest } from '../merge-requests/find.ts';
import { lockMergeRequest } from '../merge-requests/lock.ts';
import { canApprove } from '../merge-requests/policy.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { sentences } from '../system-notes/sentences.ts';
import { completeTodos } from '../todos/record.ts';
import { otherHead } from './refusals.ts';

const findApprovable = (ref: string, iid: number, ctx: Context) =>
  findMergeRequest(ref, iid, ctx, (_viewer, level, { project }) => canApprove(level, project));

/**
 * Approves the head commit of a merge request in the viewer's name, and gives its id. Throws a conflict
 * if that is not `sha` or changes meanwhile, and `unauthenticated` if the viewer has approved it
 * before, as v4 does.
 */
export async function approveMergeRequest(
  ref: string,
  iid: number,
  sha: string | null,
  ctx: Context,
): Promise<number> {
  const viewer = signedIn(ctx);
  const mergeRequest = await findApprovable(ref, iid, ctx);
  const { id: mergeRequestId, project } = mergeRequest;
  const head = await currentHead(mergeRequest, project, ctx, ctx.request.signal);
  if (sha !== null && sha !== head) throw otherHead(head ?? '');
  await transact(ctx.db, async (tx) => {
    const stored = (await lockMergeRequest(tx, mergeRequestId)).sha;
    // a push since then has reset what it did not find yet
    if (stored !== head && stored !== mergeRequest.sha) throw otherHead(stored ?? '');
    const { count } = await tx.mergeRequestApproval.createMany({
      data: [{ mergeRequestId, userId: viewer.id, sha: head }],
      skipDuplicates: true,
    });
    if (count === 0) throw unauthenticated();
    await recordSystemNotes(tx, { mergeRequestId }, viewer.id, [sentences.approved]);
    await completeTodos(tx, { kind: 'mergeRequest', id: mergeRequestId }, viewer.id);
  });
  return mergeRequestId;
}

/**
 * Withdraws the viewer's approval of a merge request, and gives its id; throws `recordNotFound` if
 * there is none.
 */
export async function unapproveMergeRequest(
  ref: string,
  iid: number,
  ctx: Context,
): Promise<number> {
  const viewer = signedIn(ctx);
  const { id: mergeRequestId } = await findApprovable(ref, iid, ctx);
  await transact(ctx.db, async (tx) => {
    const { count } = await tx.mergeRequestApproval.deleteMany({
      where: { mergeRequestId, userId: viewer.id },
    });
    if (count === 0) throw recordNotFound();
    await recordSystemNotes(tx, { mergeRequestId }, viewer.id, [sentences.unapproved]);
  });
  return mergeRequestId;
}
