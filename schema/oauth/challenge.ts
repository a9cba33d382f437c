import { createHash, timingSafeEqual } from 'node:crypto';
import { oauthRefusal } from './refusal.ts';

/** The proof that a program is the one that requested a code (RFC 7636). */
export interface Challenge {
  readonly codeChallenge: string | null;
  /** `plain` or `S256`. */
  readonly codeChallengeMethod: string | null;
}

const shape = /^[A-Za-z0-9\-._~]{43,128}$/;
const methods = ['plain', 'S256'];

/** The challenge of a request, if any; throws `invalid_request` if it is malformed. */
export function challengeOf(
  challenge: string | null | undefined,
  method: string | null | undefined,
): Challenge {
  if (!challenge) {
    if (method) throw oauthRefusal('invalid_request');
    return { codeChallenge: null, codeChallengeMethod: null };
  }
  const knownMethod = method ? methods.find((name) => name === method) : 'plain';
  if (!knownMethod || !shape.test(challenge)) throw oauthRefusal('invalid_request');
  return { codeChallenge: challenge, codeChallengeMethod: knownMethod };
}

/**
 * Whether `verifier` matches the challenge. A verifier without a challenge is rejected: an attacker
 * may have removed the challenge from the request.
 */
export function isChallengeAnswered(
  verifier: string | null | undefined,
  { codeChallenge, codeChallengeMethod }: Challenge,
): boolean {
  if (codeChallenge === null) return !verifier;
  if (!verifier || !shape.test(verifier)) return false;
  const reckoned =
    codeChallengeMethod === 'S256'
      ? createHash('sha256').update(verifier).digest('base64url')
      : verifier;
  return (
    reckoned.length === codeChallenge.length &&
    timingSafeEqual(Buffer.from(reckoned), Buffer.from(codeChallenge))
  );
}
