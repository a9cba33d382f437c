import { recordAudit } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { findByPassword, type PasswordAttempt } from '../sessions/sign-in.ts';
import { availableScopes } from '../tokens/policy.ts';
import { authenticateClient, type ClientCredentialsInput, requireEnabled } from './client.ts';
import { redeemCode } from './grants.ts';
import { refreshToken } from './refresh.ts';
import { oauthRefusal } from './refusal.ts';
import { requestedScopes } from './scopes.ts';
import type { OauthGrant } from './token-types.ts';
import { type IdentifiedToken, issueToken } from './tokens.ts';

/**
 * Exchanges a grant for a token (v4-behaviour 2.16). Only a password, and a refresh token created
 * from one, need no application. Throws the errors of RFC 6749, 5.2.
 */
export async function createToken(
  {
    authorizationCode,
    password,
    refreshToken: refresh,
    clientCredentials,
  }: typeof OauthGrant.$inferInput,
  client: ClientCredentialsInput | null,
  ctx: Context,
): Promise<IdentifiedToken> {
  if (refresh) return refreshToken(refresh, client, ctx);
  const application = client && (await authenticateClient(client, ctx));
  if (application) requireEnabled(application, ctx);
  if (password) {
    const scopes = requestedScopes(password.scope, application?.scopes ?? availableScopes);
    const userId = await userOf(password, ctx);
    const applicationId = application?.id ?? null;
    const token = { applicationId, userId, scopes, authenticatedAt: new Date() };
    const issued = await transact(ctx.db, (tx) =>
      issueToken({ ...token, isRefreshable: true }, tx, ctx),
    );
    return { ...issued, clientId: application?.uid ?? null, nonce: null };
  }
  if (!application) throw oauthRefusal('invalid_client');
  if (authorizationCode) return redeemCode(authorizationCode, application, ctx);
  // without a secret the program cannot prove its identity
  if (!application.isConfidential) throw oauthRefusal('unauthorized_client');
  const scopes = requestedScopes(clientCredentials?.scope, application.scopes);
  const token = { applicationId: application.id, userId: null, scopes, isRefreshable: false };
  const issued = await transact(ctx.db, (tx) => issueToken(token, tx, ctx));
  return { ...issued, clientId: application.uid, nonce: null };
}

/**
 * The user with this password; throws `invalid_grant` otherwise, and for users with two-factor
 * authentication.
 */
async function userOf(
  { username, password }: Pick<PasswordAttempt, 'password'> & { readonly username: string },
  ctx: Context,
): Promise<number> {
  try {
    const attempt = { login: username, password, address: ctx.request.address };
    const user = await findByPassword(attempt, ctx);
    if (user) {
      const signIn = { name: 'sign_in', details: {}, userId: user.id };
      await recordAudit(signIn, { ...ctx, viewer: null });
      return user.id;
    }
  } catch (error) {
    const isKnown = error instanceof DomainError && error.reason === 'two-factor-required';
    if (!isKnown) throw error;
  }
  throw oauthRefusal('invalid_grant');
}
