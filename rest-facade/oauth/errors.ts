import { refusal } from '../../schema/client/execute.ts';
import { type OauthErrorCode, oauthErrorTexts } from '../../schema/client/oauth-errors.ts';
import { Refusal } from '../kernel/answer.ts';
import type { Explanation } from '../kernel/errors.ts';

/** One of the errors of RFC 6749, 5.2, as this wire has always told them (v4-behaviour 2.16). */
export function oauthError(code: OauthErrorCode): Explanation {
  const text = oauthErrorTexts[code];
  return {
    status: 401,
    body: { error: code, error_description: text },
    headers: {
      'WWW-Authenticate': `Bearer realm="Millrace", error="${code}", error_description="${text}"`,
    },
  };
}

const isOauthError = (reason: string | undefined): reason is OauthErrorCode =>
  reason !== undefined && Object.hasOwn(oauthErrorTexts, reason);

const throttled = (seconds: number): Explanation => ({
  status: 429,
  body: {
    error: 'temporarily_unavailable',
    error_description: 'Too many attempts. Wait a while and try again.',
  },
  headers: { 'Retry-After': String(seconds) },
});

/** How a failure reads here; null when it is our own fault and must not be explained. */
export function explainOauth(error: unknown): Explanation | null {
  if (error instanceof Refusal) {
    const { explanation } = error;
    // parameters that cannot be read
    return explanation.status === 400 ? oauthError('invalid_request') : explanation;
  }
  const known = refusal(error);
  if (!known) return null;
  if (known.retryAfter !== undefined) return throttled(known.retryAfter);
  return oauthError(isOauthError(known.reason) ? known.reason : 'invalid_request');
}
