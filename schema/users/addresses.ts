import { randomBytes } from 'node:crypto';
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

/** The primary address of a user, as a verified address of another user may take it over. */
const unverifiedPrimary = (emailKey: string) =>
  ({ emailKey, emailVerifiedAt: null, ...losingUser }) as const;

/**
 * Administrators, and users of a directory, keep their addresses: versions before the verification stored
 * none for them.
 */
const losingUser = { isAdmin: false, identities: { none: {} } } as const;

/** The user who has the address without a verification, as the primary or a further one; null if there is none. */
export async function unverifiedHolder(db: Transaction, key: string): Promise<number | null> {
  const user = await db.user.findFirst({ where: unverifiedPrimary(key), select: { id: true } });
  if (user) return user.id;
  const email = await db.email.findFirst({
    where: { emailKey: key, verifiedAt: null, user: losingUser },
    select: { userId: true },
  });
  return email?.userId ?? null;
}

/**
 * Takes an address, which the caller has locked, from a user who has it without a verification. As a user
 * needs a primary address, such a user gets one that receives no e-mail.
 */
export async function releaseUnverified(tx: Transaction, key: string): Promise<void> {
  await tx.email.deleteMany({ where: { emailKey: key, verifiedAt: null, user: losingUser } });
  const where = unverifiedPrimary(key);
  const placeholder = `user-${randomBytes(10).toString('hex')}@noreply.invalid`;
  await tx.user.updateMany({ where, data: { email: placeholder, emailKey: placeholder } });
}
