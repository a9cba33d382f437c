import type { Context } from './context.ts';
import { DomainError } from './errors.ts';

/** Throws 412 if the record changed after the moment that the caller named (v4-behaviour 1.3). */
export function refuseModified(
  { updatedAt }: { readonly updatedAt: Date },
  { request }: Pick<Context, 'request'>,
): void {
  const { unmodifiedSince } = request;
  // the header has no milliseconds
  if (
    unmodifiedSince &&
    Math.floor(updatedAt.getTime() / 1000) * 1000 > unmodifiedSince.getTime()
  ) {
    throw new DomainError('CONFLICT', '412 Precondition Failed', { reason: 'precondition' });
  }
}
