import type { Context } from '../kernel/context.ts';
import { type DomainError, throttled } from '../kernel/errors.ts';

/**
 * Counts a wrong token against the caller's address and throws `refusal`, or `throttled` after too
 * many. Valid tokens are never counted and always accepted.
 */
export async function refuseToken(
  refusal: DomainError,
  { request, signInLimits }: Pick<Context, 'request' | 'signInLimits'>,
): Promise<never> {
  const retryAfter = await signInLimits.countWrongToken(request.address);
  throw retryAfter > 0 ? throttled(retryAfter) : refusal;
}
