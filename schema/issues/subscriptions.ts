import { batched } from '../kernel/batched.ts';

/**
 * Whether the viewer is told of what happens to the issue of this id: what they said of it, or else
 * whether they wrote it, are to do it, or talked about it (v4-behaviour 3.3).
 */
export const isSubscribed = batched(async (ids: readonly number[], { db, viewer }) => {
  if (!viewer) return new Map<number, boolean>();
  const found = await db.$queryRaw<{ id: number; isSubscribed: boolean }[]>`
    SELECT issues.id, coalesce(
      said.is_subscribed,
      author_id IS NOT DISTINCT FROM ${viewer.id}
        OR EXISTS (SELECT FROM issue_assignees
                   WHERE issue_id = issues.id AND user_id = ${viewer.id})
        OR EXISTS (SELECT FROM notes
                   WHERE author_id = ${viewer.id} AND issue_id = issues.id AND NOT is_system)
    ) AS "isSubscribed"
    FROM issues LEFT JOIN issue_subscriptions said
      ON said.issue_id = issues.id AND said.user_id = ${viewer.id}
    WHERE issues.id = ANY(${ids})`;
  return new Map(found.map((issue) => [issue.id, issue.isSubscribed]));
}, false);
