import { oauthRefusal } from './refusal.ts';

const usual = 'api';

/**
 * The requested scopes, separated by spaces, without duplicates. Throws `invalid_scope` if one is
 * not in `available`. Defaults to `api`, or else to all available scopes.
 */
export function requestedScopes(
  requested: string | null | undefined,
  available: readonly string[],
): readonly string[] {
  const scopes = [...new Set((requested ?? '').split(' ').filter((scope) => scope !== ''))];
  if (scopes.length === 0) return available.includes(usual) ? [usual] : available;
  if (!scopes.every((scope) => available.includes(scope))) throw oauthRefusal('invalid_scope');
  return scopes;
}

/**
 * Those scopes of a code or token that its application still has; all without an application. Throws
 * `invalid_scope` if none is left.
 */
export function stillAllowed(
  scopes: readonly string[],
  available: readonly string[] | undefined,
): readonly string[] {
  const allowed = available ? scopes.filter((scope) => available.includes(scope)) : scopes;
  if (allowed.length === 0) throw oauthRefusal('invalid_scope');
  return allowed;
}
