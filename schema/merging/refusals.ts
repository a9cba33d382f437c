import { conflict, DomainError } from '../kernel/errors.ts';

/** Not open, a draft, pipeline not succeeded, unresolved, or nothing to merge: 405 over REST. */
export const notMergeable = () =>
  new DomainError('FORBIDDEN', 'Method Not Allowed', { reason: 'not-mergeable' });

/** Git cannot merge it without conflicts: 406 over REST. */
export const conflicting = (why = 'Branch cannot be merged') =>
  new DomainError('CONFLICT', why, { reason: 'conflicting' });

/** The head commit is not the one the caller expects: 409 over REST. */
export const otherHead = (sha: string) =>
  conflict(`SHA does not match HEAD of source branch: ${sha}`);
