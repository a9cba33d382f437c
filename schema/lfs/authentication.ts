import type { Context } from '../kernel/context.ts';
import type { LfsCaller } from './access.ts';
import {
  authorizationOf,
  issueLfsToken,
  type LfsGrant,
  type LfsOperation,
  tokenLifetime,
} from './token.ts';

/** Headers of requests to the LFS endpoints of a project, for some time. */
export interface LfsHeaders {
  readonly header: Readonly<Record<string, string>>;
  /** Seconds. */
  readonly expires_in: number;
}

/** What `git-lfs-authenticate <path> <operation>` prints as JSON. */
export interface LfsAuthentication extends LfsHeaders {
  /** The address of the project's LFS endpoints. */
  readonly href: string;
}

const headersOf = (token: string, expiresIn: number): LfsHeaders => ({
  header: { Authorization: authorizationOf(token) },
  expires_in: expiresIn,
});

/** The public URL of a project's repository. */
export const repositoryUrl = (
  { fullPath }: { readonly fullPath: string },
  { baseUrl }: Pick<Context, 'baseUrl'>,
): string => `${baseUrl}/${fullPath}.git`;

/**
 * Lets a client that authenticated over SSH use the LFS endpoints of a project. The caller has found that
 * the user or deploy key may fetch, or push for an upload; each request checks it again, so that the token
 * ends with that permission, with the key, or when the user is blocked.
 */
export const lfsAuthentication = (
  { fullPath, ...grant }: LfsGrant & { readonly fullPath: string },
  ctx: Pick<Context, 'secrets' | 'baseUrl'>,
): LfsAuthentication => ({
  href: `${repositoryUrl({ fullPath }, ctx)}/info/lfs`,
  ...headersOf(issueLfsToken(grant, ctx), tokenLifetime),
});

/**
 * The headers of the transfers that a caller has asked for; null for anonymous users. Clients do not send
 * their password again with each object. A token that the caller sent is not prolonged.
 */
export function transferHeaders(
  { holder, grant }: LfsCaller,
  { projectId, operation }: { readonly projectId: number; readonly operation: LfsOperation },
  ctx: Pick<Context, 'secrets'>,
): LfsHeaders | null {
  if (grant) return headersOf(grant.token, grant.expiresIn);
  return holder && headersOf(issueLfsToken({ holder, projectId, operation }, ctx), tokenLifetime);
}
