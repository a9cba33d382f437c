import type { Outcome } from '../../schema/client/endpoint.ts';
import { refusal } from '../../schema/client/execute.ts';
import { type OauthErrorCode, oauthErrorTexts } from '../../schema/client/oauth-errors.ts';
import { Refusal } from '../kernel/answer.ts';
import { explain, refused } from '../kernel/errors.ts';

/** An error of RFC 6749, 5.2, with the statuses of v4 servers (v4-behaviour 2.16). */
export function oauthError(code: OauthErrorCode): Outcome {
  const text = oauthErrorTexts[code];
  return {
    status: 401,
    body: { error: code, error_description: text },
    headers: {
      'WWW-Authenticate': `Bearer realm="Millrace", error="${code}", error_description="${text}"`,
    },
  };
}

const tooMany = 'Too many attempts. Wait a while and try again.';
const busy = 'The service is busy. Wait a while and try again.';

const isOauthError = (reason: string | undefined): reason is OauthErrorCode =>
  reason !== undefined && Object.hasOwn(oauthErrorTexts, reason);

/** RFC 6749 defines this code for the authorization endpoint only, but no other fits. */
const temporarilyUnavailable = (status: number, text: string, seconds: number): Outcome => ({
  status,
  body: { error: 'temporarily_unavailable', error_description: text },
  headers: { 'Retry-After': String(seconds) },
});

/** The response for a failure; null for an internal error, which must not be explained. */
export function explainOauth(error: unknown): Outcome | null {
  if (error instanceof Refusal) {
    const { outcome } = error;
    // parameters that cannot be parsed
    return outcome.status === 400 ? oauthError('invalid_request') : outcome;
  }
  const domainError = refusal(error);
  if (!domainError) return null;
  const { code, message, retryAfter } = domainError;
  if (code === 'UNAVAILABLE') {
    const { status } = explain(domainError) ?? { status: 503 };
    return temporarilyUnavailable(status, domainError.reason ? message : busy, retryAfter ?? 1);
  }
  if (retryAfter !== undefined) return temporarilyUnavailable(429, tooMany, retryAfter);
  if (domainError.reason === 'insufficient_scope') return refused.scope('openid');
  return oauthError(isOauthError(domainError.reason) ? domainError.reason : 'invalid_request');
}
