import type { Transaction } from '../../prisma/client.ts';

/**
 * Signs a user out of every browser session except the one with the digest `except`; null ends all.
 * Database notifications invalidate the other processes' caches; the caller invalidates its own.
 */
export async function endOtherSessions(
  userId: number,
  except: Uint8Array<ArrayBuffer> | null,
  db: Transaction,
): Promise<void> {
  await db.browserSession.deleteMany({
    where: { userId, ...(except && { digest: { not: except } }) },
  });
}
