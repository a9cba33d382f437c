import { batched } from '../kernel/batched.ts';

/**
 * Whether the viewer is told of what happens to the merge request of this id: what they said of it,
 * or else whether they wrote it, are to do it, or talked about it (v4-behaviour 3.4).
 */
export const isSubscribed = batched(async (ids: readonly number[], { db, viewer }) => {
  if (!viewer) return new Map<number, boolean>();
  const found = await db.$queryRaw<{ id: number; isSubscribed: boolean }[]>`
    SELECT merge_requests.id, coalesce(
      said.is_subscribed,
      author_id IS NOT DISTINCT FROM ${viewer.id}
        OR assignee_id IS NOT DISTINCT FROM ${viewer.id}
        OR EXISTS (SELECT FROM notes
                   WHERE author_id = ${viewer.id} AND merge_request_id = merge_requests.id
                     AND NOT is_system)
    ) AS "isSubscribed"
    FROM merge_requests LEFT JOIN merge_request_subscriptions said
      ON said.merge_request_id = merge_requests.id AND said.user_id = ${viewer.id}
    WHERE merge_requests.id = ANY(${ids})`;
  return new Map(found.map((row) => [row.id, row.isSubscribed]));
}, false);
