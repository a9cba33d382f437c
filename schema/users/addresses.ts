import type { Transaction } from '../../prisma/client.ts';

/** Addresses are compared without regard to case. */
export const emailKey = (email: string): string => email.toLowerCase();

/**
 * Locks an e-mail address until the transaction ends: primary and further addresses are in two
 * tables, which no unique index spans.
 */
export async function lockAddress(tx: Transaction, key: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 AS held FROM pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
}

/** Whether any user has the address, primary or further; the user `exceptId` is ignored. */
export async function isAddressTaken(db: Transaction, key: string, exceptId = 0): Promise<boolean> {
  const user = await db.user.findUnique({ where: { emailKey: key }, select: { id: true } });
  if (user && user.id !== exceptId) return true;
  const further = await db.email.findUnique({ where: { emailKey: key }, select: { userId: true } });
  return further !== null && further.userId !== exceptId;
}
