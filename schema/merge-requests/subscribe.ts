import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { findMergeRequest } from './find.ts';
import { isSubscribed } from './subscriptions.ts';

/** A merge request of which the viewer is told or not, and whether this changed it. */
export interface SubscriptionChange {
  readonly mergeRequestId: number;
  readonly hasChanged: boolean;
}

/** Says for the viewer, who must be able to see the merge request, whether they are told of it. */
export async function setSubscribed(
  ref: string,
  iid: number,
  wanted: boolean,
  ctx: Context,
): Promise<SubscriptionChange> {
  const viewer = signedIn(ctx);
  const { id: mergeRequestId } = await findMergeRequest(ref, iid, ctx);
  if ((await isSubscribed(mergeRequestId, ctx)) === wanted) {
    return { mergeRequestId, hasChanged: false };
  }
  const written = await ctx.db.$executeRaw`
    INSERT INTO merge_request_subscriptions (merge_request_id, user_id, is_subscribed)
    SELECT id, ${viewer.id}::int, ${wanted} FROM merge_requests
    WHERE id = ${mergeRequestId} FOR KEY SHARE
    ON CONFLICT (merge_request_id, user_id) DO UPDATE SET is_subscribed = excluded.is_subscribed
    WHERE merge_request_subscriptions.is_subscribed <> excluded.is_subscribed`;
  return { mergeRequestId, hasChanged: written > 0 };
}
