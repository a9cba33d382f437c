import { randomBytes } from 'node:crypto';
import type { Database, User } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { unauthenticated } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { sweepSessions } from './sweep.ts';
import { type Credential, viewerOf } from './viewer.ts';

/** How long somebody who was right about the password may take for the second factor, milliseconds. */
const secondFactorWait = 600_000;

/** Somebody as they were when they were found to be who they say. */
export type AuthenticatedUser = Pick<User, 'id' | 'passwordDigest' | 'isTwoFactorEnabled'>;

/**
 * Remembers a browser as somebody's and gives the token for its cookie, 64 hex characters; with
 * `needsSecondFactor` the password was right, and a one-time password is still to come. Refuses whoever was blocked meanwhile, or got another password or
 * a second factor, which ends the sessions there are.
 */
export async function openBrowserSession(
  { id: userId, passwordDigest, isTwoFactorEnabled }: AuthenticatedUser,
  needsSecondFactor: boolean,
  { db, secrets, sessionLifetime }: Pick<Context, 'db' | 'secrets' | 'sessionLifetime'>,
): Promise<string> {
  const token = randomBytes(32).toString('hex');
  const lasts = needsSecondFactor ? secondFactorWait : sessionLifetime;
  await transact(db, async (tx) => {
    const held = await tx.$queryRaw<unknown[]>`
      SELECT id FROM users
      WHERE id = ${userId} AND state = 'active' AND is_two_factor_enabled = ${isTwoFactorEnabled}
        AND password_digest IS NOT DISTINCT FROM ${passwordDigest}
      FOR SHARE`;
    if (held.length === 0) throw unauthenticated();
    await tx.browserSession.create({
      data: {
        userId,
        needsSecondFactor,
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
 * Who is signed in in the browser whose cookie has this digest; null when nobody is, or not any more.
 * Being used lengthens a session, in steps of a tenth, so that most requests write nothing.
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
    await db.browserSession.updateMany({ where: { digest }, data: { expiresAt } });
  }
  // whoever remembers it asks again in time for the next step
  const asked = new Date(now + step);
  const ends = viewer.validUntil && viewer.validUntil < asked ? viewer.validUntil : asked;
  return { viewer, kind: 'session', scopes: ['api'], expiresAt: ends };
}

/** Ends the session behind a cookie; what is none is ended already. */
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
