import type { Transaction } from '../../prisma/client.ts';
import { lockKey } from '../kernel/storage-errors.ts';

/** Addresses are compared without regard to case. */
export const emailKey = (email: string): string => email.toLowerCase();

/**
 * Locks an e-mail address until the transaction ends: primary and further addresses are in two
 * tables, which no unique index spans.
 */
export const lockAddress = lockKey;

/** Whether any user has the address, primary or further; the user `exceptId` is ignored. */
export async function isAddressTaken(db: Transaction, key: string, exceptId = 0): Promise<boolean> {
  const user = await db.user.findUnique({ where: { emailKey: key }, select: { id: true } });
  if (user && user.id !== exceptId) return true;
  const further = await db.email.findUnique({ where: { emailKey: key }, select: { userId: true } });
  return further !== null && further.userId !== exceptId;
}
