import type { Context } from '../kernel/context.ts';
import { unauthenticated } from '../kernel/errors.ts';
import { requireSecondFactor } from '../two-factors/verify.ts';
import { type OpenedSession, openSession } from './sign-in-browser.ts';

interface Showing {
  /** The token of the pending session. */
  readonly token: string;
  /** A one-time password or a recovery code. */
  readonly code: string;
}

/**
 * Completes a pending sign-in under a new token. Throws if the session is not pending or has
 * expired, and as `requireSecondFactor` does.
 */
export async function passSecondFactor(
  { token, code }: Showing,
  ctx: Context,
): Promise<OpenedSession> {
  const session = await ctx.db.browserSession.findUnique({
    where: { digest: ctx.secrets.digest(token) },
    select: { userId: true, needsSecondFactor: true, expiresAt: true, user: true },
  });
  if (!session?.needsSecondFactor || session.expiresAt <= new Date()) throw unauthenticated();
  if (session.user.state !== 'active') throw unauthenticated();
  await requireSecondFactor(session.userId, code, ctx);
  return openSession(session.user, { needsSecondFactor: false, replaces: token }, ctx);
}
