import type { RequestFacts } from '../kernel/context.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** The scopes of tokens; `read_registry` would need a registry (v4-behaviour 1.5). */
export const availableScopes: readonly string[] = ['api', 'read_user', 'openid'];

/** The scopes of applications: OpenID Connect has further ones, which only ask for claims. */
export const applicationScopes: readonly string[] = [...availableScopes, 'profile', 'email'];

/** Messages for the scopes of a token or, with `applicationScopes`, of an application. */
export function scopeFaults(
  scopes: readonly string[],
  available: readonly string[] = availableScopes,
): readonly string[] {
  if (scopes.length === 0) return ["can't be blank"];
  return scopes.every((scope) => available.includes(scope))
    ? []
    : ['can only contain available scopes'];
}

/** Tokens with which administrators act as a user. */
export const canManageImpersonationTokens = (viewer: Viewer | null): boolean =>
  viewer?.isAdmin === true;

/** Personal tokens are managed by their user only. */
export const canManagePersonalTokens = (viewer: Viewer | null, userId: number): boolean =>
  viewer?.id === userId;

/** An administrator sees it while acting as that user with `sudo` (v4-behaviour 3.1). */
export const canSeePrivateToken = (
  viewer: Viewer | null,
  userId: number,
  { sudoerId, isDelegated }: Pick<RequestFacts, 'sudoerId' | 'isDelegated'>,
): boolean => viewer?.id === userId && typeof sudoerId === 'number' && !isDelegated;

export interface TokenTraits {
  readonly revokedAt: Date | null;
  /** The start of the day on which it expires. */
  readonly expiresAt: Date | null;
}

/** Whether a token is valid now. */
export const isActive = ({ revokedAt, expiresAt }: TokenTraits, now = new Date()): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);
