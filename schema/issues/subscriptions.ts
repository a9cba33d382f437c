import type { Context } from '../kernel/context.ts';

/**
 * Whether the viewer is told of what happens to an issue: what they said of it, or else whether they
 * wrote it, are to do it, or talked about it (v4-behaviour 3.3).
 */
export async function isSubscribed(
  { id, authorId }: { readonly id: number; readonly authorId: number | null },
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
): Promise<boolean> {
  if (!viewer) return false;
  const [found] = await db.$queryRaw<[{ isSubscribed: boolean }]>`
    SELECT coalesce(
      (SELECT is_subscribed FROM issue_subscriptions
       WHERE issue_id = ${id} AND user_id = ${viewer.id}),
      ${authorId === viewer.id}
        OR EXISTS (SELECT FROM issue_assignees WHERE issue_id = ${id} AND user_id = ${viewer.id})
        OR EXISTS (SELECT FROM notes
                   WHERE author_id = ${viewer.id} AND issue_id = ${id} AND NOT is_system)
    ) AS "isSubscribed"`;
  return found.isSubscribed;
}
