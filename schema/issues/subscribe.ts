import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { findIssue } from './find.ts';
import { isSubscribed } from './subscriptions.ts';

/** An issue of which the viewer is told or not, and whether this changed it. */
export interface SubscriptionChange {
  readonly issueId: number;
  readonly hasChanged: boolean;
}

/** Says for the viewer, who must be able to see the issue, whether they are told of it. */
export async function setSubscribed(
  ref: string,
  iid: number,
  wanted: boolean,
  ctx: Context,
): Promise<SubscriptionChange> {
  const viewer = signedIn(ctx);
  const issue = await findIssue(ref, iid, ctx);
  if ((await isSubscribed(issue.id, ctx)) === wanted)
    return { issueId: issue.id, hasChanged: false };
  const written = await ctx.db.$executeRaw`
    INSERT INTO issue_subscriptions (issue_id, user_id, is_subscribed)
    SELECT id, ${viewer.id}::int, ${wanted} FROM issues WHERE id = ${issue.id} FOR KEY SHARE
    ON CONFLICT (issue_id, user_id) DO UPDATE SET is_subscribed = excluded.is_subscribed
    WHERE issue_subscriptions.is_subscribed <> excluded.is_subscribed`;
  return { issueId: issue.id, hasChanged: written > 0 };
}
