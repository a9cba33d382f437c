import type { OauthApplication } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { type Challenge, challengeOf } from './challenge.ts';
import { applicationOf, refuseClosed } from './client.ts';
import { oauthRefusal } from './refusal.ts';
import { requestedScopes } from './scopes.ts';

/** What an application asks somebody for, as it came in their browser (RFC 6749, 4.1.1 and 4.2.1). */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseType?: string | null | undefined;
  readonly scope?: string | null | undefined;
  readonly codeChallenge?: string | null | undefined;
  readonly codeChallengeMethod?: string | null | undefined;
}

/** The same, found to be in order. */
export interface ExaminedRequest {
  readonly application: OauthApplication;
  readonly userId: number;
  readonly redirectUri: string;
  readonly responseType: 'code' | 'token';
  readonly scopes: readonly string[];
  readonly challenge: Challenge;
}

/**
 * Judges what an application asks the viewer for. First `invalid_client` and `invalid_redirect_uri`,
 * with which nobody may be sent anywhere; every refusal after these may be told to the application,
 * at the address it gave.
 */
export async function examineRequest(
  request: AuthorizationRequest,
  ctx: Pick<Context, 'db' | 'settings' | 'viewer'>,
): Promise<ExaminedRequest> {
  const { id: userId } = signedIn(ctx);
  const { clientId, redirectUri, responseType, scope } = request;
  const application = await applicationOf(clientId, ctx);
  if (!application) throw oauthRefusal('invalid_client');
  if (!application.redirectUris.includes(redirectUri)) throw oauthRefusal('invalid_redirect_uri');
  refuseClosed(application, ctx);
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
