import type { Context } from '../kernel/context.ts';
import { invalid, notFound, unauthenticated } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { onRecordMissing, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { lockTokenFamily } from '../oauth/delegated-keys.ts';
import { keyTaken, readKey } from './faults.ts';
import { keyNotFound } from './find.ts';
import { storeKey } from './store.ts';

export interface NewKey {
  readonly title: string;
  readonly key: string;
  /** Null: never. */
  readonly expiresAt?: Date | null | undefined;
}

/**
 * Adds a key for a user; the key must be unused. Returns its id (v4-behaviour 3.10). A key that an application
 * adds is deleted when its authorization is revoked.
 */
export async function addKey(
  userId: number,
  { title, key: text, expiresAt = null }: NewKey,
  { db, settings, request: { delegation } }: Context,
): Promise<number> {
  const key = readKey(title, text, settings.current);
  if (expiresAt && expiresAt <= new Date()) throw invalid({ expiresAt: ['must be in the future'] });
  const stored = transact(db, async (tx) => {
    const isAuthorized = !delegation || (await lockTokenFamily(delegation.family, tx));
    if (!isAuthorized) throw unauthenticated();
    return storeKey(tx, key, { title, userId, expiresAt, delegation });
  });
  return orThrow(stored.catch(onRecordMissing(() => notFound('User'))), () => invalid(keyTaken));
}

/** Removes a user's key. */
export async function removeKey(userId: number, id: number, ctx: Context): Promise<void> {
  const where = { id, userId };
  const key = await ctx.db.key.findFirst({ where, select: { updatedAt: true } });
  if (!key) throw keyNotFound();
  refuseModified(key, ctx);
  const { count } = await ctx.db.key.deleteMany({ where });
  if (count === 0) throw keyNotFound();
}
