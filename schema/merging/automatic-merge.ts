import { rejected, unauthenticated } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { endAutomaticMerge } from '../merge-requests/consents.ts';
import { findMergeRequest } from '../merge-requests/find.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { sentences } from '../system-notes/sentences.ts';
import { setAutomaticMerge } from './accepted-merge.ts';
import { findCurrent, mayMergeInto } from './merge.ts';
import type { Merging } from './merge-branch.ts';
import { conflicting } from './refusals.ts';

/**
 * Merges a merge request when the next pipeline of `head`, which a push will create, succeeds. Throws
 * as `acceptMergeRequest` does if the viewer may not merge, and `rejected` if the branch has another
 * head by now.
 */
export async function mergeAfterNextPipeline(
  ref: string,
  iid: number,
  head: string | null,
  ctx: Merging,
): Promise<void> {
  const viewer = signedIn(ctx);
  const mergeRequest = await findCurrent(ref, iid, viewer, ctx);
  if (!(await mayMergeInto(mergeRequest, ctx))) throw unauthenticated();
  if (head === null || mergeRequest.sha !== head)
    throw rejected('the branch has moved since the push, so it is not merged automatically.');
  await setAutomaticMerge({ ...mergeRequest, sha: head }, viewer, {}, ctx);
}

/** Cancels the automatic merge; users who may merge, and the author, may. */
export async function cancelAutomaticMerge(
  ref: string,
  iid: number,
  ctx: Merging,
): Promise<number> {
  const viewer = signedIn(ctx);
  const mergeRequest = await findMergeRequest(ref, iid, ctx);
  if (mergeRequest.authorId !== viewer.id && !(await mayMergeInto(mergeRequest, ctx)))
    throw unauthenticated();
  const { id, state } = mergeRequest;
  const isCanceled =
    state === 'opened' &&
    (await transact(ctx.db, async (tx) => {
      if (!(await endAutomaticMerge(tx, id))) return false;
      const notes = [sentences.automaticMergeCanceled];
      await recordSystemNotes(tx, { mergeRequestId: id }, viewer.id, notes);
      return true;
    }));
  if (!isCanceled) throw conflicting("Can't cancel the automatic merge");
  return id;
}
