import { randomBytes } from 'node:crypto';
import type { Secrets } from '../ports/secrets.ts';

/**
 * 20 characters: shorter than an OAuth token, by which clients distinguish the two (v4-behaviour
 * 1.5). Letters and digits only, because programs take an argument with a leading dash for an
 * option.
 */
export const newToken = (): string =>
  randomBytes(15).toString('base64url').replaceAll('-', 'x').replaceAll('_', 'y');

/**
 * The forms of the tokens that git sends as a password: private and personal ones (20 characters), of CI jobs
 * (30 hexadecimal digits), and of OAuth (64).
 */
const tokenShape = /^(?:[A-Za-z0-9_-]{20}|[0-9a-f]{30}|[0-9a-f]{64})$/;

/** Whether a text has the form of a token of this service. */
export const isTokenShaped = (text: string): boolean => tokenShape.test(text);

/**
 * The row of the private token that POST /session returns: looked up by its digest, and sealed so
 * that it can be returned again.
 */
export const privateTokenRow = (secrets: Secrets, token: string = newToken()) => ({
  kind: 'private' as const,
  name: 'private token',
  digest: secrets.digest(token),
  sealed: secrets.seal(token),
  scopes: ['api'],
});

/**
 * The opened value for a list, which one damaged row must not break; null if it does not open, of which
 * `millrace doctor` tells.
 */
export function openIfReadable(
  sealed: string,
  { secrets }: { readonly secrets: Secrets },
): string | null {
  try {
    return secrets.open(sealed);
  } catch {
    return null;
  }
}
