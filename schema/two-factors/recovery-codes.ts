import { randomInt } from 'node:crypto';
import type { Transaction } from '../../prisma/client.ts';
import type { Secrets } from '../ports/secrets.ts';

const howMany = 10;
const half = 5;

/** No letter that looks like a digit, and none of which words are made. */
const letters = '23456789bcdfghjkmnpqrstvwxz';

const letter = () => letters[randomInt(letters.length)] ?? '';

/** 47 bits, written in two halves; whoever guesses has ten attempts in ten minutes. */
const newCode = () =>
  [half, half].map((length) => Array.from({ length }, letter).join('')).join('-');

/** Whatever the code was typed like. */
const digestOf = (code: string, userId: number, { digest }: Pick<Secrets, 'digest'>) =>
  digest(`recovery\0${userId}\0${code.toLowerCase().replace(/[^0-9a-z]/g, '')}`);

/** Puts ten new codes in the place of somebody's; they are told this once. */
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

/** Uses a code up; whether it was one. Of two who show it at once one is believed. */
export async function spendRecoveryCode(
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
