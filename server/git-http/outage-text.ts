import { DomainError } from '../../schema/kernel/errors.ts';
import { outageOf } from '../../schema/kernel/outage.ts';

/** What git shows of a failure that may be over soon; without a line break. */
export const unavailableText = ({
  message,
  retryAfter,
}: Pick<DomainError, 'message' | 'retryAfter'>) =>
  `${message}. Try again in ${retryAfter} seconds.`;

/** The same for any error; null for one that is no outage. */
export function outageText(error: unknown): string | null {
  const isUnavailable = error instanceof DomainError && error.code === 'UNAVAILABLE';
  const unavailable = isUnavailable ? error : outageOf(error)?.error;
  return unavailable ? unavailableText(unavailable) : null;
}
