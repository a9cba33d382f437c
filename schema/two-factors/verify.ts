import type { Context } from '../kernel/context.ts';
import { invalid, throttled } from '../kernel/errors.ts';
import { stepOf } from './one-time-password.ts';
import { useRecoveryCode } from './recovery-codes.ts';

type Parts = Pick<Context, 'db' | 'request' | 'secrets' | 'signInLimits'>;

/** Throws if an attempt is wrong, or after too many. */
export async function requireRightCode(
  userId: number,
  { request, signInLimits }: Pick<Context, 'request' | 'signInLimits'>,
  isRight: () => Promise<boolean>,
): Promise<void> {
  // counted apart from passwords: a right password must not reset the count of wrong codes
  const attempt = {
    kind: 'code' as const,
    account: `second factor ${userId}`,
    userId,
    address: request.address,
  };
  const verdict = await signInLimits.judge(attempt, isRight);
  if (verdict.retryAfter !== undefined) throw throttled(verdict.retryAfter);
  if (!verdict.isRight) throw invalid({ code: ['is wrong'] });
}

/**
 * Verifies a one-time password or recovery code of a user, each valid only once. Throws `invalid`
 * if it is neither, and after too many failures of one account or address.
 */
export const requireSecondFactor = (userId: number, code: string, ctx: Parts): Promise<void> =>
  requireRightCode(userId, ctx, () => {
    const typed = code.replace(/\s/g, '');
    return /^\d{6}$/.test(typed)
      ? useOneTimePassword(userId, typed, ctx)
      : useRecoveryCode(userId, typed, ctx.db, ctx.secrets);
  });

async function useOneTimePassword(
  userId: number,
  password: string,
  { db, secrets }: Parts,
): Promise<boolean> {
  const factor = await db.twoFactor.findUnique({ where: { userId } });
  if (!factor?.confirmedAt) return false;
  const step = stepOf(secrets.open(factor.sealedSecret), password);
  if (step === null) return false;
  // the time step only increases: of two concurrent uses of a password one succeeds
  const { count } = await db.twoFactor.updateMany({
    where: { userId, lastStep: { lt: step }, sealedSecret: factor.sealedSecret },
    data: { lastStep: step },
  });
  return count === 1;
}
