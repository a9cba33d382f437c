import type { Transaction } from '../../prisma/client.ts';

/**
 * Signs a user out of every browser session except the one with the digest `except`; null ends all.
 * Also deletes the codes that applications have not exchanged yet: another person may have authorized
 * them in one of these sessions.
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
  await db.oauthGrant.deleteMany({ where: { userId, usedAt: null } });
}
