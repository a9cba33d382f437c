import { randomBytes } from 'node:crypto';
import type { Database, User } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { unauthenticated } from '../kernel/errors.ts';
import { writeInPassing } from '../kernel/outage.ts';
import { transact } from '../kernel/storage-errors.ts';
import { browserName } from './browser-name.ts';
import { sweepSessions } from './sweep.ts';
import { type Credential, viewerOf } from './viewer.ts';

/** Milliseconds between the password and the second factor. */
const secondFactorWait = 600_000;

/** The user fields as they were when the password was checked. */
export type AuthenticatedUser = Pick<User, 'id' | 'passwordDigest' | 'isTwoFactorEnabled'>;

type SessionParts = Pick<Context, 'db' | 'request' | 'secrets' | 'sessionLifetime'>;

/**
 * Creates a browser session and returns the token for its cookie, 64 hex characters; with
 * `needsSecondFactor` a one-time password is still required. Throws if the user was blocked, or
 * changed password or second factor in between, which ends existing sessions.
 */
export async function openBrowserSession(
  { id: userId, passwordDigest, isTwoFactorEnabled }: AuthenticatedUser,
  needsSecondFactor: boolean,
  { db, request, secrets, sessionLifetime }: SessionParts,
): Promise<string> {
  const { address, userAgent = '' } = request;
  const token = randomBytes(32).toString('hex');
  const lasts = needsSecondFactor ? secondFactorWait : sessionLifetime;
  await transact(db, async (tx) => {
    const lockedRows = await tx.$queryRaw<unknown[]>`
      SELECT id FROM users
      WHERE id = ${userId} AND state = 'active' AND is_two_factor_enabled = ${isTwoFactorEnabled}
        AND password_digest IS NOT DISTINCT FROM ${passwordDigest}
      FOR SHARE`;
    if (lockedRows.length === 0) throw unauthenticated();
    await tx.browserSession.create({
      data: {
        userId,
        needsSecondFactor,
        address,
        browser: browserName(userAgent),
        digest: secrets.digest(token),
        expiresAt: new Date(Date.now() + lasts),
      },
      select: { id: true },
    });
  });
  await sweepSessions(db, 'browser_sessions');
  return token;
}

/**
 * The user of the session with this cookie digest; null without a valid session. Use extends a
 * session, in steps of a tenth, so that most requests write nothing.
 */
export async function credentialOfSession(
  db: Database,
  digest: Uint8Array<ArrayBuffer>,
  sessionLifetime: number,
): Promise<Credential | null> {
  const session = await db.browserSession.findUnique({ where: { digest } });
  if (!session || session.needsSecondFactor || session.expiresAt <= new Date()) return null;
  const viewer = await viewerOf(db, session.userId);
  if (!viewer) return null;
  const now = Date.now();
  const step = sessionLifetime / 10;
  const expiresAt = new Date(now + sessionLifetime);
  if (expiresAt.getTime() - session.expiresAt.getTime() > step) {
    await writeInPassing(() =>
      db.browserSession.updateMany({ where: { digest }, data: { expiresAt } }),
    );
  }
  // caches ask again in time for the next step
  const revalidateAt = new Date(now + step);
  const ends =
    viewer.validUntil && viewer.validUntil < revalidateAt ? viewer.validUntil : revalidateAt;
  return { viewer, kind: 'session', scopes: ['api'], expiresAt: ends };
}

/**
 * When the viewer signed in to the session of this cookie; null if it is no valid session of the
 * viewer.
 */
export async function signedInAt(
  token: string | null | undefined,
  { db, secrets, viewer }: Pick<Context, 'db' | 'secrets' | 'viewer'>,
): Promise<Date | null> {
  if (!token || !viewer) return null;
  const session = await db.browserSession.findUnique({
    where: {
      digest: secrets.digest(token),
      userId: viewer.id,
      needsSecondFactor: false,
      expiresAt: { gt: new Date() },
    },
    select: { createdAt: true },
  });
  return session?.createdAt ?? null;
}

/** Ends the session of a cookie; idempotent. */
export async function closeBrowserSession(
  token: string,
  { db, secrets, viewers }: Pick<Context, 'db' | 'secrets' | 'viewers'>,
): Promise<void> {
  const where = { digest: secrets.digest(token) };
  const session = await db.browserSession.findUnique({ where, select: { userId: true } });
  if (!session) return;
  await db.browserSession.deleteMany({ where });
  viewers.forget(session.userId);
}
