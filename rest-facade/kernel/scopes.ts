import type { Outcome } from '../../schema/client/endpoint.ts';
import { refused } from './errors.ts';

/** Token scopes other than `api`, which includes all (v4-behaviour 1.5). */
export type Scope = 'read_user' | 'openid';

/** The caller's credential. */
export interface Shown {
  /** Decides the form of the refusal if the scopes do not suffice. */
  readonly kind: string;
  readonly scopes: readonly string[];
}

/** The refusal for a credential that has neither `api` nor one of `scopes`; null if it has. */
export function scopeRefusal(
  shown: Shown | null | undefined,
  scopes: readonly Scope[] = [],
): Outcome | null {
  if (!shown) return null;
  const fit = ['api', ...scopes];
  if (fit.some((scope) => shown.scopes.includes(scope))) return null;
  return shown.kind === 'oauth' ? refused.scope(fit.join(' ')) : refused.anonymous;
}
