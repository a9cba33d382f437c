import { randomInt } from 'node:crypto';
import type { Transaction } from '../../prisma/client.ts';
import type { Secrets } from '../ports/secrets.ts';

const howMany = 10;
const half = 5;

/** Without letters that look like digits, and without vowels, so that no words result. */
const letters = '23456789bcdfghjkmnpqrstvwxz';

const letter = () => letters[randomInt(letters.length)] ?? '';

/** 47 bits, written in two halves; the rate limit is ten attempts in ten minutes. */
const newCode = () =>
  [half, half].map((length) => Array.from({ length }, letter).join('')).join('-');

/** Ignores case and separators. */
const digestOf = (code: string, userId: number, { digest }: Pick<Secrets, 'digest'>) =>
  digest(`recovery\0${userId}\0${code.toLowerCase().replace(/[^0-9a-z]/g, '')}`);

/** Replaces a user's recovery codes by ten new ones, which are returned only once. */
export async function renewRecoveryCodes(
  userId: number,
  tx: Transaction,
  secrets: Pick<Secrets, 'digest'>,
): Promise<readonly string[]> {
  const codes = Array.from({ length: howMany }, newCode);
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, digest: digestOf(code, userId, secrets) })),
  });
  return codes;
}

/** Uses a recovery code up; returns whether it was valid. Of two concurrent uses one succeeds. */
export async function useRecoveryCode(
  userId: number,
  code: string,
  db: Transaction,
  secrets: Pick<Secrets, 'digest'>,
): Promise<boolean> {
  const { count } = await db.recoveryCode.updateMany({
    where: { userId, digest: digestOf(code, userId, secrets), usedAt: null },
    data: { usedAt: new Date() },
  });
  return count === 1;
}
