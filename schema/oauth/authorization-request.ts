import type { OauthApplication } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { type Challenge, challengeOf } from './challenge.ts';
import { applicationOf, requireEnabled } from './client.ts';
import { maxAgeOf, nonceOf, type Prompt, promptsOf } from './openid-request.ts';
import { oauthRefusal } from './refusal.ts';
import { requestedScopes } from './scopes.ts';

type Text = string | null | undefined;

/**
 * An application's authorization request, as received from the browser (RFC 6749, 4.1.1 and 4.2.1;
 * OpenID Connect Core, 3.1.2.1).
 */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseType?: Text;
  readonly responseMode?: Text;
  readonly scope?: Text;
  readonly codeChallenge?: Text;
  readonly codeChallengeMethod?: Text;
  readonly nonce?: Text;
  readonly prompt?: Text;
  readonly maxAge?: Text;
  readonly requestObject?: Text;
  readonly requestUri?: Text;
}

/** The kinds of responses, in the alphabetical order of their words. */
const responseTypes = ['code', 'id_token', 'id_token token', 'token'] as const;

type ResponseType = (typeof responseTypes)[number];

/** A validated request. */
export interface ValidatedRequest {
  readonly application: OauthApplication;
  readonly redirectUri: string;
  readonly responseType: ResponseType;
  readonly scopes: readonly string[];
  readonly challenge: Challenge;
  readonly nonce: string | null;
  readonly prompts: ReadonlySet<Prompt>;
  /** Seconds since the sign-in of the user, at most; null for any time. */
  readonly maxAge: number | null;
}

/**
 * Validates an authorization request. Throws `invalid_client` and `invalid_redirect_uri` first,
 * after which the user must not be redirected; all later errors may be sent to the application's
 * redirect URI.
 */
export async function validateAuthorizationRequest(
  request: AuthorizationRequest,
  ctx: Pick<Context, 'db' | 'settings'>,
): Promise<ValidatedRequest> {
  const { clientId, redirectUri } = request;
  const application = await applicationOf(clientId, ctx);
  if (!application) throw oauthRefusal('invalid_client');
  if (!application.redirectUris.includes(redirectUri)) throw oauthRefusal('invalid_redirect_uri');
  requireEnabled(application, ctx);
  if (request.requestObject) throw oauthRefusal('request_not_supported');
  if (request.requestUri) throw oauthRefusal('request_uri_not_supported');
  const responseType = responseTypeOf(request);
  const scopes = requestedScopes(request.scope, application.scopes);
  const isOpenid = scopes.includes('openid');
  if (responseType.includes('id_token') && !isOpenid) throw oauthRefusal('invalid_request');
  return {
    application,
    redirectUri,
    responseType,
    scopes,
    challenge: challengeOf(request.codeChallenge, request.codeChallengeMethod),
    nonce: nonceOf(request.nonce, responseType.includes('id_token')),
    // other requests may have parameters of these names with another meaning
    prompts: isOpenid ? promptsOf(request.prompt) : new Set(),
    maxAge: isOpenid ? maxAgeOf(request.maxAge) : null,
  };
}

/** Throws for an unsupported type, and for a mode that would show a token to servers in a query. */
function responseTypeOf({ responseType, responseMode }: AuthorizationRequest): ResponseType {
  if (!responseType) throw oauthRefusal('invalid_request');
  const words = responseType.split(' ').sort().join(' ');
  const type = responseTypes.find((name) => name === words);
  if (!type) throw oauthRefusal('unsupported_response_type');
  const modes = type === 'code' ? ['query', 'fragment'] : ['fragment'];
  if (responseMode && !modes.includes(responseMode)) throw oauthRefusal('invalid_request');
  return type;
}
