import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { authenticateClient, refuseClosed, type ShownClient } from './client.ts';
import { oauthRefusal } from './refusal.ts';
import { requestedScopes } from './scopes.ts';
import { endFamily, type IssuedToken, issueToken, refreshEnd } from './tokens.ts';

interface ShownRefreshToken {
  readonly refreshToken: string;
  /** Narrower than before, or left out. */
  readonly scope?: string | null | undefined;
}

/**
 * Exchanges a refresh token for another pair, once; the access token that came with it ends. Whoever
 * shows it a second time has stolen it or was robbed: everything that came of it ends. Of two who
 * show it at the same moment one is served. Refuses with `invalid_grant` what is none, is another
 * application's or somebody's who was blocked; with `invalid_client` who should have shown a secret.
 */
export async function refreshToken(
  { refreshToken: shown, scope }: ShownRefreshToken,
  client: ShownClient | null,
  ctx: Pick<Context, 'db' | 'secrets' | 'settings' | 'viewers' | 'request' | 'signInLimits'>,
): Promise<IssuedToken> {
  const application = client && (await authenticateClient(client, ctx));
  const token = await ctx.db.oauthToken.findUnique({
    where: { refreshDigest: ctx.secrets.digest(shown) },
    include: { user: { select: { state: true } }, application: true },
  });
  if (!token) throw oauthRefusal('invalid_grant');
  if (application && token.applicationId !== application.id) throw oauthRefusal('invalid_grant');
  // in the hands of a program that can keep a secret it is worth nothing without that
  if (!application && token.application?.isConfidential) throw oauthRefusal('invalid_client');
  if (token.revokedAt) {
    await endFamily(token, ctx);
    throw oauthRefusal('invalid_grant');
  }
  if (refreshEnd(token.expiresAt) <= new Date() || token.user?.state !== 'active') {
    throw oauthRefusal('invalid_grant');
  }
  if (token.application) refuseClosed(token.application, ctx);
  const scopes = stillAllowed(token.scopes, token.application?.scopes);
  const asked = scope ? requestedScopes(scope, scopes) : scopes;
  const { id, applicationId, userId, family } = token;
  const issued = await transact(ctx.db, async (tx) => {
    const where = { id, revokedAt: null };
    const { count } = await tx.oauthToken.updateMany({ where, data: { revokedAt: new Date() } });
    if (count === 0) throw oauthRefusal('invalid_grant');
    return issueToken(
      { applicationId, userId, scopes: asked, family, isRefreshable: true },
      tx,
      ctx,
    );
  });
  ctx.viewers.forget(userId ?? 0);
  return issued;
}

/** An application that may ask for less than it once did keeps that. */
function stillAllowed(
  scopes: readonly string[],
  available: readonly string[] | undefined,
): readonly string[] {
  const allowed = available ? scopes.filter((scope) => available.includes(scope)) : scopes;
  if (allowed.length === 0) throw oauthRefusal('invalid_scope');
  return allowed;
}
