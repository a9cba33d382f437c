import type { RequestFacts } from '../kernel/context.ts';
import type { Viewer } from '../kernel/viewer.ts';

/** What a token may be made for; `read_registry` would be one, had we a registry (v4-behaviour 1.5). */
export const availableScopes: readonly string[] = ['api', 'read_user', 'openid'];

/** Tokens by which administrators act as somebody. */
export const canManageImpersonationTokens = (viewer: Viewer | null): boolean =>
  viewer?.isAdmin === true;

/** Which tokens somebody made for programs of theirs is their own business. */
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
  /** The beginning of the day on which it ends. */
  readonly expiresAt: Date | null;
}

/** Whether a token is good at this moment. */
export const isActive = ({ revokedAt, expiresAt }: TokenTraits, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);
