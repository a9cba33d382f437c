import { randomBytes } from 'node:crypto';
import type { Database } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { type Credential, viewerOf } from './viewer.ts';

/** How long somebody who was right about the password may take for the second factor, milliseconds. */
const secondFactorWait = 600_000;

interface Opening {
  readonly userId: number;
  /** The password was right, and a one-time password is still to come. */
  readonly needsSecondFactor: boolean;
}

/**
 * Remembers a browser as somebody's and gives the token for its cookie, 64 hex characters. What ran
 * out of this person's sessions goes.
 */
export async function openBrowserSession(
  { userId, needsSecondFactor }: Opening,
  { db, secrets, sessionLifetime }: Pick<Context, 'db' | 'secrets' | 'sessionLifetime'>,
): Promise<string> {
  const token = randomBytes(32).toString('hex');
  const lasts = needsSecondFactor ? secondFactorWait : sessionLifetime;
  await db.$transaction([
    db.browserSession.deleteMany({ where: { userId, expiresAt: { lte: new Date() } } }),
    db.browserSession.create({
      data: {
        userId,
        needsSecondFactor,
        digest: secrets.digest(token),
        expiresAt: new Date(Date.now() + lasts),
      },
    }),
  ]);
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
  let { expiresAt } = session;
  const renewed = new Date(Date.now() + sessionLifetime);
  if (renewed.getTime() - expiresAt.getTime() > sessionLifetime / 10) {
    expiresAt = renewed;
    await db.browserSession.updateMany({ where: { digest }, data: { expiresAt } });
  }
  const ends = viewer.validUntil && viewer.validUntil < expiresAt ? viewer.validUntil : expiresAt;
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
