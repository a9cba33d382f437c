import type { User } from '../../prisma/client.ts';
import { keptText, recordAudit } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { throttled, unauthenticated } from '../kernel/errors.ts';
import { isTokenShaped } from '../kernel/private-token.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { CheckGuess } from '../ports/sign-in-limits.ts';
import { privateTokenOf } from '../tokens/private-token.ts';
import { touchActivity } from '../users/activity.ts';
import { emailKey } from '../users/addresses.ts';
import {
  accountOfUser,
  checkInDirectory,
  directoryProvider,
  findInDirectory,
} from './directory.ts';
import { viewerOf } from './viewer.ts';

const twoFactorText = 'You have 2FA enabled. Please use a personal access token to access the API';

export interface PasswordAttempt {
  /** A username or an e-mail address, ignoring case. */
  readonly login: string;
  readonly password: string;
  /** The caller's address. */
  readonly address: string;
  /** Programs send passwords and tokens alike here, as git does. */
  readonly mayBeToken?: boolean;
}

type Parts = Pick<
  Context,
  'db' | 'directory' | 'passwords' | 'secrets' | 'settings' | 'signInLimits'
>;

/**
 * The user with this password, or null. Throws for users with two-factor authentication, and as
 * `checkPassword` does.
 */
export async function findByPassword(attempt: PasswordAttempt, parts: Parts): Promise<User | null> {
  const user = await checkPassword(attempt, parts);
  if (user?.isTwoFactorEnabled) throw unauthenticated(twoFactorText, 'two-factor-required');
  if (user) await parts.signInLimits.remember(user.id, attempt.address);
  return user;
}

/**
 * The user with this password, or null; both results take the time of one slow hash. Throws
 * `throttled` after too many failures (see `SignInAttempt`).
 */
export async function checkPassword(
  { login, password, address, mayBeToken }: PasswordAttempt,
  parts: Parts,
): Promise<User | null> {
  const { db, secrets, signInLimits } = parts;
  const key = login.toLowerCase();
  const user = key === '' ? null : await lookupCalled(key, db);
  // all names of a user count as one account; an unknown login may be a mistyped password
  const account = user
    ? accountOfUser(user.id)
    : `text ${Buffer.from(secrets.digest(plainLogin(key))).toString('hex')}`;
  let authenticated: User | null = null;
  const isAskedElsewhere = isForDirectory(user, parts) || mayBeInDirectory(user, { login }, parts);
  const isToken = mayBeToken === true && isTokenShaped(password);
  const attempt = {
    kind: isToken ? ('token' as const) : ('password' as const),
    account,
    userId: user?.id,
    address,
    isAskedElsewhere,
  };
  const verdict = await signInLimits.judge(attempt, async (countFor) => {
    authenticated = await judgePassword(user, { login, password }, countFor, parts);
    return authenticated?.state === 'active';
  });
  // attempts beyond the limits are no events: they would fill the disk
  if (verdict.retryAfter !== undefined) throw throttled(verdict.retryAfter);
  if (verdict.isRight) return authenticated;
  // nor are wrong tokens, which programs repeat
  if (isToken) return null;
  const failure = { name: 'sign_in_failed', details: { login: keptText(login) } };
  await recordAudit(failure, { db, viewer: null, request: { address } });
  return null;
}

/** A login without what directories ignore: forms of the same character, spaces, invisible ones. */
const plainLogin = (key: string) => key.normalize('NFKC').replace(/[\s\p{Cf}\p{Cc}]/gu, '');

const lookupCalled = (key: string, db: Context['db']) =>
  db.user.findFirst({
    where: { OR: [{ usernameKey: key }, { emailKey: key }] },
    include: { identities: { where: { provider: directoryProvider } } },
  });

type Called = NonNullable<Awaited<ReturnType<typeof lookupCalled>>>;

/**
 * The directory authenticates its own users and unknown logins. Without a directory only local
 * users can sign in.
 */
const isForDirectory = (user: Called | null, { directory }: Pick<Parts, 'directory'>): boolean =>
  directory !== null && (user === null || user.identities.length > 0);

/**
 * Whether a login that names a local user may be that of a directory user, too: an address that is not
 * verified.
 */
const mayBeInDirectory = (
  user: Called | null,
  { login }: Pick<PasswordAttempt, 'login'>,
  { directory }: Pick<Parts, 'directory'>,
): boolean =>
  directory !== null &&
  user !== null &&
  user.emailVerifiedAt === null &&
  !user.isAdmin &&
  user.identities.length === 0 &&
  user.emailKey === emailKey(login);

async function judgePassword(
  user: Called | null,
  given: Pick<PasswordAttempt, 'login' | 'password'>,
  countFor: Parameters<CheckGuess>[0],
  parts: Parts,
): Promise<User | null> {
  const { directory, passwords, settings } = parts;
  const isElsewhere = isForDirectory(user, parts);
  const digest = isElsewhere ? null : (user?.passwordDigest ?? null);
  const isRight = await passwords.verify(digest, given.password);
  if (directory && isElsewhere) {
    return user
      ? checkInDirectory(user, given.password, directory, parts)
      : findInDirectory(given, directory, countFor, parts);
  }
  if (isRight && settings.current.passwordAuthenticationEnabled) return user;
  const isTriedElsewhere = directory !== null && mayBeInDirectory(user, given, parts);
  return isTriedElsewhere ? findInDirectory(given, directory, countFor, parts) : null;
}

/**
 * Signs in with a password and returns the private token (v4-behaviour 2.14). The error is the same
 * for a wrong password, a blocked user and an unknown one; users with two-factor authentication
 * must use a token.
 */
export async function signIn(
  credentials: Pick<PasswordAttempt, 'login' | 'password'>,
  ctx: Context,
): Promise<{ userId: number; privateToken: string }> {
  const user = await findByPassword({ ...credentials, address: ctx.request.address }, ctx);
  if (!user) throw unauthenticated();
  await recordSignIn(user.id, ctx);
  await touchActivity(user.id, ctx);
  ctx.viewer = await viewerOf(ctx.db, user.id);
  return { userId: user.id, privateToken: await privateTokenOf(user.id, ctx) };
}

/** Records a sign-in for its user and as an audit event. Raw SQL, because it must not change the account's `updated_at`. */
export async function recordSignIn(
  userId: number,
  { db, request }: Pick<Context, 'db' | 'request'>,
): Promise<void> {
  const now = new Date();
  const count = await transact(
    db,
    (tx) => tx.$executeRaw`
      UPDATE users
      SET last_sign_in_at = coalesce(current_sign_in_at, ${now}), current_sign_in_at = ${now}
      WHERE id = ${userId}`,
  );
  // the user was removed in between
  if (count === 0) throw unauthenticated();
  await recordAudit({ name: 'sign_in', details: {}, userId }, { db, request, viewer: null });
}
