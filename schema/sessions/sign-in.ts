import type { User } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { throttled, unauthenticated } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { privateTokenOf } from '../tokens/private-token.ts';
import { touchActivity } from '../users/activity.ts';
import { viewerOf } from './viewer.ts';

const twoFactorText = 'You have 2FA enabled. Please use a personal access token to access the API';

export interface Attempt {
  /** A username or an e-mail address, in any case of letters. */
  readonly login: string;
  readonly password: string;
  /** The caller's address. */
  readonly address: string;
}

type Parts = Pick<Context, 'db' | 'passwords' | 'secrets' | 'settings' | 'signInLimits'>;

/**
 * The user with this password, or null; both answers take the time of one slow hash. Refuses too many
 * failures on one account or from one address, and people with a second factor.
 */
export async function findByPassword(
  { login, password, address }: Attempt,
  { db, passwords, secrets, settings, signInLimits }: Parts,
): Promise<User | null> {
  const key = login.toLowerCase();
  const user =
    key === ''
      ? null
      : await db.user.findFirst({ where: { OR: [{ usernameKey: key }, { emailKey: key }] } });
  // all names of a person are one account; what nobody is called may be a password typed too early
  const account = user
    ? `user ${user.id}`
    : `text ${Buffer.from(secrets.digest(key)).toString('hex')}`;
  const verdict = await signInLimits.judge({ account, address }, async () => {
    const isRight = await passwords.verify(user?.passwordDigest ?? null, password);
    const isOpen = settings.current.isPasswordAuthenticationEnabled && user?.state === 'active';
    return isRight && isOpen;
  });
  if (verdict.retryAfter !== undefined) throw throttled(verdict.retryAfter);
  if (!verdict.isRight) return null;
  if (user?.isTwoFactorEnabled) throw unauthenticated(twoFactorText, 'two-factor-required');
  return user;
}

/**
 * Signs in by password and gives the private token (v4-behaviour 2.14). A wrong password, a blocked
 * user and an unknown one are the same refusal; people with a second factor are told to use a token.
 */
export async function signIn(
  credentials: Pick<Attempt, 'login' | 'password'>,
  ctx: Context,
): Promise<{ userId: number; privateToken: string }> {
  const found = await findByPassword({ ...credentials, address: ctx.request.address }, ctx);
  if (!found) throw unauthenticated();
  await noteSignIn(found.id, ctx.db);
  await touchActivity(found.id, ctx);
  ctx.viewer = await viewerOf(ctx.db, found.id);
  return { userId: found.id, privateToken: await privateTokenOf(found.id, ctx) };
}

/** In SQL of its own: signing in is no change of the account, whose `updated_at` stays. */
async function noteSignIn(userId: number, db: Context['db']): Promise<void> {
  const now = new Date();
  const count = await transact(
    db,
    (tx) => tx.$executeRaw`
      UPDATE users
      SET last_sign_in_at = coalesce(current_sign_in_at, ${now}), current_sign_in_at = ${now}
      WHERE id = ${userId}`,
  );
  // removed meanwhile
  if (count === 0) throw unauthenticated();
}
