import { randomBytes } from 'node:crypto';
import type { Context } from '../kernel/context.ts';
import { throttled, unauthenticated } from '../kernel/errors.ts';
import { writeInPassing } from '../kernel/outage.ts';
import { isActive } from '../tokens/policy.ts';
import { touchActivity } from '../users/activity.ts';
import { recordSignIn } from './sign-in.ts';
import { sweepSessions } from './sweep.ts';
import { type Credential, viewerOf } from './viewer.ts';

/**
 * Milliseconds until an unused session expires (specification, "Remote-procedure (SOAP)
 * interface").
 */
const lifetime = 3_600_000;

/** Use extends a session once in this time, so that most calls write nothing. */
const step = 60_000;

/** A session id of `openSoapSession`. */
const pattern = /^[0-9a-f]{64}$/;

export interface SoapSignIn {
  /** Ignoring case. */
  readonly username: string;
  /** The private token or a personal access token, with the scope `api`. */
  readonly apiKey: string;
}

/**
 * Signs a program in with a key and returns the session id. The error is the same for an unknown
 * user, a blocked one and a wrong key; throws after too many failures from one address.
 */
export async function openSoapSession(
  { username, apiKey }: SoapSignIn,
  ctx: Context,
): Promise<string> {
  const { db, secrets, signInLimits } = ctx;
  const usernameKey = username.toLowerCase();
  const user = await db.user.findUnique({ where: { usernameKey }, select: { id: true } });
  let accessTokenId: number | null = null;
  const attempt = { kind: 'key', account: usernameKey, address: ctx.request.address } as const;
  const verdict = await signInLimits.judge(attempt, async () => {
    accessTokenId = user && (await keyOf(user.id, apiKey, ctx));
    return accessTokenId !== null;
  });
  if (verdict.retryAfter !== undefined) throw throttled(verdict.retryAfter);
  if (!user || accessTokenId === null) throw unauthenticated();
  const sessionId = randomBytes(32).toString('hex');
  await db.soapSession.create({
    data: {
      userId: user.id,
      accessTokenId,
      digest: secrets.digest(sessionId),
      expiresAt: new Date(Date.now() + lifetime + step),
    },
    select: { id: true },
  });
  await sweepSessions(db, 'soap_sessions');
  await recordSignIn(user.id, ctx);
  await touchActivity(user.id, ctx);
  return sessionId;
}

/** The token of an active user that a key is; null if it is none, or not valid for signing in. */
async function keyOf(
  userId: number,
  apiKey: string,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<number | null> {
  const token = await db.accessToken.findFirst({
    where: {
      digest: secrets.digest(apiKey),
      kind: { in: ['private', 'personal'] },
      scopes: { has: 'api' },
      user: { id: userId, state: 'active' },
    },
  });
  return token && isActive(token) ? token.id : null;
}

/**
 * The credential of the session with this id; null if it is unknown or has ended: an hour without
 * use, a revoked key or a blocked user. Use extends it.
 */
export async function credentialOfSoapSession(
  sessionId: string,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<Credential | null> {
  if (!pattern.test(sessionId)) return null;
  const digest = secrets.digest(sessionId);
  const session = await db.soapSession.findUnique({
    relationLoadStrategy: 'join',
    where: { digest },
    select: {
      userId: true,
      expiresAt: true,
      accessToken: { select: { revokedAt: true, expiresAt: true } },
    },
  });
  const now = Date.now();
  if (!session || session.expiresAt.getTime() <= now || !isActive(session.accessToken)) return null;
  const viewer = await viewerOf(db, session.userId);
  if (!viewer) return null;
  const expiresAt = new Date(now + lifetime + step);
  if (expiresAt.getTime() - session.expiresAt.getTime() >= step) {
    await writeInPassing(() =>
      db.soapSession.updateMany({ where: { digest }, data: { expiresAt } }),
    );
  }
  // caches ask again in time for the next step
  const ends = [session.accessToken.expiresAt, viewer.validUntil, new Date(now + step)];
  const first = ends.flatMap((end) => (end ? [end.getTime()] : []));
  return { viewer, kind: 'session', scopes: ['api'], expiresAt: new Date(Math.min(...first)) };
}

/** Ends the session with this id; idempotent. */
export async function closeSoapSession(
  sessionId: string,
  { db, secrets, viewers }: Pick<Context, 'db' | 'secrets' | 'viewers'>,
): Promise<void> {
  if (!pattern.test(sessionId)) return;
  const where = { digest: secrets.digest(sessionId) };
  const session = await db.soapSession.findUnique({ where, select: { userId: true } });
  if (!session) return;
  await db.soapSession.deleteMany({ where });
  viewers.forget(session.userId);
}
