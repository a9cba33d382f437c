import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { endOtherSessions } from '../users/end-sessions.ts';
import { newSecret, otpauthUri, stepOf } from './one-time-password.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { requireRightCode } from './verify.ts';

/** The data to set up an authenticator app. */
export interface TwoFactorSetUpData {
  readonly secret: string;
  readonly uri: string;
}

const alreadyOn = () => conflict('Two-factor authentication is on already');
const isOff = () => conflict('Two-factor authentication is off');

/** Starts setting up a user's second factor, which applies once it is confirmed. */
export async function startTwoFactorSetUp(
  { id: userId, username }: Viewer,
  { db, secrets, baseUrl }: Context,
): Promise<TwoFactorSetUpData> {
  const secret = newSecret();
  const sealedSecret = secrets.seal(secret);
  const { count } = await db.twoFactor.updateMany({
    where: { userId, confirmedAt: null },
    data: { sealedSecret },
  });
  if (count === 0) {
    await db.twoFactor
      .create({ data: { userId, sealedSecret }, select: { userId: true } })
      .catch(onUniqueViolation(alreadyOn));
  }
  return { secret, uri: otpauthUri(secret, { username, host: new URL(baseUrl).host }) };
}

/**
 * Enables the second factor, given a one-time password of the new secret. Returns the recovery
 * codes; every other browser is signed out.
 */
export async function confirmTwoFactor(
  userId: number,
  { code, session }: { readonly code: string; readonly session: string | null },
  ctx: Context,
): Promise<readonly string[]> {
  const { db, secrets, viewers } = ctx;
  const factor = await db.twoFactor.findUnique({ where: { userId } });
  if (factor?.confirmedAt) throw alreadyOn();
  if (!factor) throw conflict('Begin to set two-factor authentication up first');
  const typed = code.replace(/\s/g, '');
  const step = stepOf(secrets.open(factor.sealedSecret), typed);
  await requireRightCode(userId, ctx, async () => step !== null);
  const codes = await transact(db, async (tx) => {
    const { count } = await tx.twoFactor.updateMany({
      where: { userId, confirmedAt: null, sealedSecret: factor.sealedSecret },
      data: { confirmedAt: new Date(), lastStep: step ?? 0 },
    });
    if (count === 0) throw alreadyOn();
    await mark(tx, userId, true);
    await endOtherSessions(userId, session === null ? null : secrets.digest(session), tx);
    return renewRecoveryCodes(userId, tx, secrets);
  });
  viewers.forget(userId);
  return codes;
}

/** Disables a user's second factor; every browser but that of `session` is signed out. */
export async function disableTwoFactor(
  userId: number,
  session: string | null,
  { db, secrets, viewers }: Pick<Context, 'db' | 'secrets' | 'viewers'>,
): Promise<void> {
  await transact(db, async (tx) => {
    const { count } = await tx.twoFactor.deleteMany({ where: { userId } });
    if (count === 0) throw isOff();
    await tx.recoveryCode.deleteMany({ where: { userId } });
    await mark(tx, userId, false);
    await endOtherSessions(userId, session === null ? null : secrets.digest(session), tx);
  });
  viewers.forget(userId);
}

/** Replaces the recovery codes. */
export const renewTwoFactorCodes = (
  userId: number,
  { db, secrets }: Context,
): Promise<readonly string[]> =>
  transact(db, async (tx) => {
    // the lock keeps the second factor from being disabled concurrently
    const { count } = await tx.twoFactor.updateMany({
      where: { userId, confirmedAt: { not: null } },
      data: { userId },
    });
    if (count === 0) throw isOff();
    return renewRecoveryCodes(userId, tx, secrets);
  });

async function mark(tx: Transaction, id: number, isTwoFactorEnabled: boolean): Promise<void> {
  await tx.user.update({ where: { id }, data: { isTwoFactorEnabled }, select: { id: true } });
}
