import { conflict, DomainError } from '../kernel/errors.ts';

/** It is not open, not done, not tried yet, or has nothing to merge: 405 on the REST wire. */
export const notMergeable = () =>
  new DomainError('FORBIDDEN', 'Method Not Allowed', { reason: 'not-mergeable' });

/** Git does not merge it by itself: 406. */
export const conflicting = (why = 'Branch cannot be merged') =>
  new DomainError('CONFLICT', why, { reason: 'conflicting' });

/** The caller has seen other commits than there are now: 409. */
export const otherHead = (sha: string) =>
  conflict(`SHA does not match HEAD of source branch: ${sha}`);
