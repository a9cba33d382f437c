import { oauthRefusal } from './refusal.ts';

const usual = 'api';

/**
 * The scopes that are asked for, separated by blanks, each once. Refuses with `invalid_scope` what is
 * not among `available`. Who asks for none gets `api`, or else all there are.
 */
export function requestedScopes(
  asked: string | null | undefined,
  available: readonly string[],
): readonly string[] {
  const scopes = [...new Set((asked ?? '').split(' ').filter((scope) => scope !== ''))];
  if (scopes.length === 0) return available.includes(usual) ? [usual] : available;
  if (!scopes.every((scope) => available.includes(scope))) throw oauthRefusal('invalid_scope');
  return scopes;
}
