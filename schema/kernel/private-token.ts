import { randomBytes } from 'node:crypto';
import type { Secrets } from '../ports/secrets.ts';

/**
 * 20 characters: shorter than an OAuth token, by which clients tell the two apart (v4-behaviour 1.5).
 * Letters and digits, as people give them to programs, which take what begins with a dash for an option.
 */
export const newToken = (): string =>
  randomBytes(15).toString('base64url').replaceAll('-', 'x').replaceAll('_', 'y');

/** The row of the private token that POST /session shows: found by its digest, shown again by opening it. */
export const privateTokenRow = (secrets: Secrets, token: string = newToken()) => ({
  kind: 'private' as const,
  name: 'private token',
  digest: secrets.digest(token),
  sealed: secrets.seal(token),
  scopes: ['api'],
});
