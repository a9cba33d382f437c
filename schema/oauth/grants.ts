import { randomUUID } from 'node:crypto';
import type { OauthApplication, Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { ValidatedRequest } from './authorization-request.ts';
import { isChallengeAnswered } from './challenge.ts';
import { oauthRefusal } from './refusal.ts';
import { stillAllowed } from './scopes.ts';
import { type IdentifiedToken, issueToken, newTokenText, revokeTokenFamily } from './tokens.ts';
import { refuseToken } from './wrong-token.ts';

/** The lifetime of a code in milliseconds. */
const lifetime = 600_000;
/** Milliseconds after its expiry in which the reuse of a code is detected. */
const remembered = 86_400_000;
const mostSwept = 100;

/** The user who authorizes an application, and when they signed in. */
interface Authorizer {
  readonly userId: number;
  readonly authenticatedAt: Date | null;
}

/** Creates the code that the application exchanges for a token; only its digest is stored. */
export async function createGrant(
  { application, redirectUri, scopes, challenge, nonce }: ValidatedRequest,
  { userId, authenticatedAt }: Authorizer,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<string> {
  const code = newTokenText();
  await transact(db, async (tx) => {
    await sweep(tx);
    await tx.oauthGrant.create({
      data: {
        applicationId: application.id,
        userId,
        redirectUri,
        scopes: [...scopes],
        ...challenge,
        nonce,
        authenticatedAt,
        digest: secrets.digest(code),
        family: randomUUID(),
        expiresAt: new Date(Date.now() + lifetime),
      },
      select: { id: true },
    });
  });
  return code;
}

const sweep = (tx: Transaction) => tx.$executeRaw`
  DELETE FROM oauth_grants WHERE id IN (
    SELECT id FROM oauth_grants WHERE expires_at < ${new Date(Date.now() - remembered)}
    ORDER BY expires_at LIMIT ${mostSwept} FOR UPDATE SKIP LOCKED)`;

interface ShownCode {
  readonly code: string;
  readonly redirectUri: string;
  readonly codeVerifier?: string | null | undefined;
}

/**
 * Exchanges a code, once. Throws `invalid_grant` if it is unknown, expired, another application's,
 * or sent with another redirect URI or verifier; reusing a code revokes every token created with
 * it. Scopes that the application has lost since are left out.
 */
export async function redeemCode(
  { code, redirectUri, codeVerifier }: ShownCode,
  application: OauthApplication,
  ctx: Pick<Context, 'db' | 'secrets' | 'viewers' | 'request' | 'signInLimits'>,
): Promise<IdentifiedToken> {
  const grant = await ctx.db.oauthGrant.findUnique({
    where: { digest: ctx.secrets.digest(code) },
    include: { user: { select: { state: true } } },
  });
  if (!grant) return refuseToken(oauthRefusal('invalid_grant'), ctx);
  if (grant.applicationId !== application.id) throw oauthRefusal('invalid_grant');
  if (grant.usedAt) {
    await revokeTokenFamily(grant, ctx);
    throw oauthRefusal('invalid_grant');
  }
  const isGood =
    grant.expiresAt > new Date() &&
    grant.redirectUri === redirectUri &&
    grant.user.state === 'active' &&
    isChallengeAnswered(codeVerifier, grant);
  if (!isGood) throw oauthRefusal('invalid_grant');
  const { id, applicationId, userId, family, authenticatedAt, nonce } = grant;
  const scopes = stillAllowed(grant.scopes, application.scopes);
  const issued = await transact(ctx.db, async (tx) => {
    const where = { id, usedAt: null };
    const { count } = await tx.oauthGrant.updateMany({ where, data: { usedAt: new Date() } });
    if (count === 0) return null;
    const token = { applicationId, userId, scopes, family, authenticatedAt };
    return issueToken({ ...token, isRefreshable: true }, tx, ctx);
  });
  if (!issued) {
    await revokeTokenFamily(grant, ctx);
    throw oauthRefusal('invalid_grant');
  }
  return { ...issued, clientId: application.uid, nonce };
}
