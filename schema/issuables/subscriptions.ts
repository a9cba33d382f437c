import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';
import { isAmong } from '../kernel/sql.ts';
import type { IssuableKind } from './kinds.ts';

/**
 * Whether the viewer is notified of changes of the issue or merge request of this id: their own
 * choice, or else whether they are its author, an assignee, or wrote a note (v4-behaviour 3.3).
 */
export const subscriptionsTo = ({
  table,
  id,
  reference,
  subscriptions,
  isAssignee,
}: IssuableKind) =>
  batched(async (ids: readonly number[], { db, viewer }) => {
    if (!viewer) return new Map<number, boolean>();
    const rows = await db.$queryRaw<{ id: number; isSubscribed: boolean }[]>`
      SELECT ${id}, coalesce(
        chosen.is_subscribed,
        author_id IS NOT DISTINCT FROM ${viewer.id}
          OR ${isAssignee(viewer.id)}
          OR EXISTS (SELECT FROM notes
                     WHERE author_id = ${viewer.id} AND ${reference} = ${id} AND NOT is_system)
      ) AS "isSubscribed"
      FROM ${table} LEFT JOIN ${subscriptions} chosen
        ON chosen.${reference} = ${id} AND chosen.user_id = ${viewer.id}
      WHERE ${isAmong(id, ids)}`;
    return new Map(rows.map((row) => [row.id, row.isSubscribed]));
  }, false);

export interface SubscriptionChange {
  readonly id: number;
  readonly hasChanged: boolean;
}

/** Stores a user's choice for an issue or merge request that they can see. */
export async function setSubscribed(
  { table, reference, subscriptions }: IssuableKind,
  id: number,
  { userId, isSubscribed }: { readonly userId: number; readonly isSubscribed: boolean },
  { db }: Pick<Context, 'db'>,
): Promise<SubscriptionChange> {
  const changedRows = await db.$executeRaw`
    INSERT INTO ${subscriptions} (${reference}, user_id, is_subscribed)
    SELECT id, ${userId}::int, ${isSubscribed} FROM ${table}
    WHERE id = ${id} FOR KEY SHARE
    ON CONFLICT (${reference}, user_id) DO UPDATE SET is_subscribed = excluded.is_subscribed
    WHERE ${subscriptions}.is_subscribed <> excluded.is_subscribed`;
  return { id, hasChanged: changedRows > 0 };
}
