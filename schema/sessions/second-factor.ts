import type { Context } from '../kernel/context.ts';
import { unauthenticated } from '../kernel/errors.ts';
import { requireSecondFactor } from '../two-factors/verify.ts';
import { enter, type Opened } from './sign-in-browser.ts';

interface Showing {
  /** Of the session that waits for the second factor. */
  readonly token: string;
  /** A one-time password or a recovery code. */
  readonly code: string;
}

/**
 * Signs in for good whoever showed the right password a moment ago, under a new token. Refuses a
 * session that does not wait, or not any more, and what `requireSecondFactor` refuses.
 */
export async function passSecondFactor({ token, code }: Showing, ctx: Context): Promise<Opened> {
  const session = await ctx.db.browserSession.findUnique({
    where: { digest: ctx.secrets.digest(token) },
    select: { userId: true, needsSecondFactor: true, expiresAt: true, user: true },
  });
  if (!session?.needsSecondFactor || session.expiresAt <= new Date()) throw unauthenticated();
  if (session.user.state !== 'active') throw unauthenticated();
  await requireSecondFactor(session.userId, code, ctx);
  return enter(session.user, { needsSecondFactor: false, replaces: token }, ctx);
}
