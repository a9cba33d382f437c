import type { Database } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { writeInPassing } from '../kernel/outage.ts';

/** The users already recorded as active on the latest day, per database of this process. */
const written = new WeakMap<Database, { readonly day: string; readonly ids: Set<number> }>();

/**
 * Records that a user was active today: one statement on the first call of a day, none after that.
 * Used for sign-in and git; `updated_at` stays, because the account did not change.
 */
export async function touchActivity(userId: number, { db }: Pick<Context, 'db'>): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const recorded = written.get(db);
  const today = recorded?.day === day ? recorded : { day, ids: new Set<number>() };
  if (today !== recorded) written.set(db, today);
  if (today.ids.has(userId)) return;
  const isWritten = await writeInPassing(
    () => db.$executeRaw`
      UPDATE users SET last_activity_on = ${day}::date
      WHERE id = ${userId} AND (last_activity_on IS NULL OR last_activity_on < ${day}::date)`,
  );
  if (isWritten) today.ids.add(userId);
}
