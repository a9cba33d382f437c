import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { authenticateClient, type ClientCredentialsInput, requireEnabled } from './client.ts';
import { oauthRefusal } from './refusal.ts';
import { requestedScopes, stillAllowed } from './scopes.ts';
import { type IdentifiedToken, issueToken, refreshEnd, revokeTokenFamily } from './tokens.ts';
import { refuseToken } from './wrong-token.ts';

interface ShownRefreshToken {
  readonly refreshToken: string;
  /** The same scopes or fewer. */
  readonly scope?: string | null | undefined;
}

/**
 * Exchanges a refresh token for a new pair, once; the former access token is revoked. Reuse means
 * that the token was stolen: all tokens descended from it are revoked. Of two concurrent requests
 * one succeeds. Throws `invalid_grant` if the token is unknown, another application's or a blocked
 * user's; `invalid_client` if a required secret is missing.
 */
export async function refreshToken(
  { refreshToken: shown, scope }: ShownRefreshToken,
  client: ClientCredentialsInput | null,
  ctx: Pick<Context, 'db' | 'secrets' | 'settings' | 'viewers' | 'request' | 'signInLimits'>,
): Promise<IdentifiedToken> {
  const application = client && (await authenticateClient(client, ctx));
  const token = await ctx.db.oauthToken.findUnique({
    where: { refreshDigest: ctx.secrets.digest(shown) },
    include: { user: { select: { state: true } }, application: true },
  });
  if (!token) return refuseToken(oauthRefusal('invalid_grant'), ctx);
  if (application && token.applicationId !== application.id) throw oauthRefusal('invalid_grant');
  // a confidential application's token is useless without its secret
  if (!application && token.application?.isConfidential) throw oauthRefusal('invalid_client');
  if (token.revokedAt) {
    await revokeTokenFamily(token, ctx);
    throw oauthRefusal('invalid_grant');
  }
  if (refreshEnd(token.expiresAt) <= new Date() || token.user?.state !== 'active') {
    throw oauthRefusal('invalid_grant');
  }
  if (token.application) requireEnabled(token.application, ctx);
  const scopes = stillAllowed(token.scopes, token.application?.scopes);
  const requested = scope ? requestedScopes(scope, scopes) : scopes;
  const { id, applicationId, userId, family, authenticatedAt } = token;
  const issued = await transact(ctx.db, async (tx) => {
    const where = { id, revokedAt: null };
    const { count } = await tx.oauthToken.updateMany({ where, data: { revokedAt: new Date() } });
    if (count === 0) throw oauthRefusal('invalid_grant');
    const refreshed = { applicationId, userId, scopes: requested, family, authenticatedAt };
    return issueToken({ ...refreshed, isRefreshable: true }, tx, ctx);
  });
  ctx.viewers.forget(userId ?? 0);
  // the nonce was of the request for the first token only
  return { ...issued, clientId: token.application?.uid ?? null, nonce: null };
}
