import type { Outcome } from '../../schema/client/endpoint.ts';
import { refused } from './errors.ts';

/** What a token may be good for, short of `api`, which is good for everything (v4-behaviour 1.5). */
export type Scope = 'read_user' | 'openid';

/** What a caller showed. */
export interface Shown {
  /** Its kind decides how it is told that it does not suffice. */
  readonly kind: string;
  readonly scopes: readonly string[];
}

/** Why a caller who showed this may not use an endpoint open to `scopes` and `api`; null if they may. */
export function scopeRefusal(
  shown: Shown | null | undefined,
  scopes: readonly Scope[] = [],
): Outcome | null {
  if (!shown) return null;
  const fit = ['api', ...scopes];
  if (fit.some((scope) => shown.scopes.includes(scope))) return null;
  return shown.kind === 'oauth' ? refused.scope(fit.join(' ')) : refused.anonymous;
}
