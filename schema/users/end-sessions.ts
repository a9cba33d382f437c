import type { Transaction } from '../../prisma/client.ts';

/**
 * Signs somebody out in every browser but the one whose session has the digest `except`; null: in all
 * of them. Every process hears of it from the database; the caller's own forgets them at once.
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
