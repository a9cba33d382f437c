import type { Context } from '../kernel/context.ts';
import { unauthenticated } from '../kernel/errors.ts';
import { touchActivity } from '../users/activity.ts';
import {
  type AuthenticatedUser,
  closeBrowserSession,
  openBrowserSession,
} from './browser-sessions.ts';
import { checkPassword, type PasswordAttempt, recordSignIn } from './sign-in.ts';

/** A new session, and whether a one-time password is still required. */
export interface OpenedSession {
  readonly token: string;
  readonly needsSecondFactor: boolean;
}

interface SignIn extends Pick<PasswordAttempt, 'login' | 'password'> {
  readonly replaces?: string | null | undefined;
}

/**
 * Signs a browser in with a password, under a new token. The error is the same for a wrong
 * password, a blocked user and an unknown one; throws after too many failures.
 */
export async function signInBrowser(
  { login, password, replaces }: SignIn,
  ctx: Context,
): Promise<OpenedSession> {
  const user = await checkPassword({ login, password, address: ctx.request.address }, ctx);
  if (!user) throw unauthenticated();
  return openSession(user, { needsSecondFactor: user.isTwoFactorEnabled, replaces }, ctx);
}

interface Entry {
  readonly needsSecondFactor: boolean;
  /** The browser's former token. */
  readonly replaces?: string | null | undefined;
}

/** Opens a session for an authenticated user; the former one ends. */
export async function openSession(
  user: AuthenticatedUser,
  { needsSecondFactor, replaces }: Entry,
  ctx: Context,
): Promise<OpenedSession> {
  const token = await openBrowserSession(user, needsSecondFactor, ctx);
  if (replaces) await closeBrowserSession(replaces, ctx);
  if (!needsSecondFactor) {
    await recordSignIn(user.id, ctx);
    await ctx.signInLimits.remember(user.id, ctx.request.address);
    await touchActivity(user.id, ctx);
  }
  return { token, needsSecondFactor };
}
