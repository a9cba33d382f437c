import type { Context } from '../kernel/context.ts';
import { invalid, throttled } from '../kernel/errors.ts';
import { stepOf } from './one-time-password.ts';
import { spendRecoveryCode } from './recovery-codes.ts';

type Parts = Pick<Context, 'db' | 'request' | 'secrets' | 'signInLimits'>;

/** Refuses an attempt that is not right, and too many of them. */
export async function requireRight(
  userId: number,
  { request, signInLimits }: Pick<Context, 'request' | 'signInLimits'>,
  isRight: () => Promise<boolean>,
): Promise<void> {
  // apart from passwords: one that is right must not open the door to further guesses here
  const attempt = {
    kind: 'code' as const,
    account: `second factor ${userId}`,
    address: request.address,
  };
  const verdict = await signInLimits.judge(attempt, isRight);
  if (verdict.retryAfter !== undefined) throw throttled(verdict.retryAfter);
  if (!verdict.isRight) throw invalid({ code: ['is wrong'] });
}

/**
 * Takes a one-time password or a recovery code of somebody, each of them once. Refuses what is
 * neither as invalid, and too many failures on one account or from one address.
 */
export const requireSecondFactor = (userId: number, code: string, ctx: Parts): Promise<void> =>
  requireRight(userId, ctx, () => {
    const typed = code.replace(/\s/g, '');
    return /^\d{6}$/.test(typed)
      ? spendOneTimePassword(userId, typed, ctx)
      : spendRecoveryCode(userId, typed, ctx.db, ctx.secrets);
  });

async function spendOneTimePassword(
  userId: number,
  password: string,
  { db, secrets }: Parts,
): Promise<boolean> {
  const factor = await db.twoFactor.findUnique({ where: { userId } });
  if (!factor?.confirmedAt) return false;
  const step = stepOf(secrets.open(factor.sealedSecret), password);
  if (step === null) return false;
  // the period moves forward only: of two who show the same password at once one is believed
  const { count } = await db.twoFactor.updateMany({
    where: { userId, lastStep: { lt: step }, sealedSecret: factor.sealedSecret },
    data: { lastStep: step },
  });
  return count === 1;
}
