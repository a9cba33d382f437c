import type { Database } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';

/** Who is known to have been active on the latest day, for each database a process works on. */
const written = new WeakMap<Database, { readonly day: string; readonly ids: Set<number> }>();

/**
 * Notes that somebody was active today: one statement for the first time on a day, none later on.
 * For signing in and git; `updated_at` stays, as nothing of the account was changed.
 */
export async function touchActivity(userId: number, { db }: Pick<Context, 'db'>): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const known = written.get(db);
  const today = known?.day === day ? known : { day, ids: new Set<number>() };
  if (today !== known) written.set(db, today);
  if (today.ids.has(userId)) return;
  await db.$executeRaw`
    UPDATE users SET last_activity_on = ${day}::date
    WHERE id = ${userId} AND (last_activity_on IS NULL OR last_activity_on < ${day}::date)`;
  today.ids.add(userId);
}
