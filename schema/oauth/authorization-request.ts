import type { OauthApplication } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { type Challenge, challengeOf } from './challenge.ts';
import { applicationOf, requireEnabled } from './client.ts';
import { oauthRefusal } from './refusal.ts';
import { requestedScopes } from './scopes.ts';

/**
 * An application's authorization request, as received from the browser (RFC 6749, 4.1.1 and 4.2.1).
 */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseType?: string | null | undefined;
  readonly scope?: string | null | undefined;
  readonly codeChallenge?: string | null | undefined;
  readonly codeChallengeMethod?: string | null | undefined;
}

/** A validated request. */
export interface ValidatedRequest {
  readonly application: OauthApplication;
  readonly userId: number;
  readonly redirectUri: string;
  readonly responseType: 'code' | 'token';
  readonly scopes: readonly string[];
  readonly challenge: Challenge;
}

/**
 * Validates an authorization request. Throws `invalid_client` and `invalid_redirect_uri` first,
 * after which the user must not be redirected; all later errors may be sent to the application's
 * redirect URI.
 */
export async function validateAuthorizationRequest(
  request: AuthorizationRequest,
  ctx: Pick<Context, 'db' | 'settings' | 'viewer'>,
): Promise<ValidatedRequest> {
  const { id: userId } = signedIn(ctx);
  const { clientId, redirectUri, responseType, scope } = request;
  const application = await applicationOf(clientId, ctx);
  if (!application) throw oauthRefusal('invalid_client');
  if (!application.redirectUris.includes(redirectUri)) throw oauthRefusal('invalid_redirect_uri');
  requireEnabled(application, ctx);
  if (!responseType) throw oauthRefusal('invalid_request');
  if (responseType !== 'code' && responseType !== 'token') {
    throw oauthRefusal('unsupported_response_type');
  }
  return {
    application,
    userId,
    redirectUri,
    responseType,
    scopes: requestedScopes(scope, application.scopes),
    challenge: challengeOf(request.codeChallenge, request.codeChallengeMethod),
  };
}
