import { createHash } from 'node:crypto';
import { importJWK, type JWK, SignJWT } from 'jose';
import type { Context } from '../kernel/context.ts';
import { claimsOf, directGroupPaths } from './claims.ts';
import { currentSigningKey, idTokenLifetime, signingAlgorithm } from './signing-keys.ts';

/** An authentication of a user that an application learns of by an ID token. */
export interface Identification {
  /** The Application ID: the token is for this application only. */
  readonly clientId: string;
  readonly userId: number;
  readonly scopes: readonly string[];
  /** When the user signed in; null if it is unknown. */
  readonly authenticatedAt: Date | null;
  /** Of the authorization request. */
  readonly nonce: string | null;
  /** The token is part of an address, so it does not list groups. */
  readonly isInAddress: boolean;
}

const mostGroups = 100;

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);

/** Binds an ID token to the access token beside it (OpenID Connect Core, 3.1.3.6). */
const accessTokenHash = (accessToken: string): string =>
  createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');

/**
 * Signs an ID token (OpenID Connect Core, 2). Signing runs in a thread of the runtime, not on the
 * event loop. Throws `invalid_grant` if the user was blocked.
 */
export async function signIdToken(
  identification: Identification,
  accessToken: string | null,
  ctx: Pick<Context, 'db' | 'baseUrl' | 'secrets' | 'settings'>,
): Promise<string> {
  const { clientId, userId, authenticatedAt, nonce } = identification;
  const claims = await claimsFor(identification, ctx);
  const key = await currentSigningKey(ctx);
  const privateKey = await importJWK(
    JSON.parse(ctx.secrets.open(key.sealed)) as JWK,
    signingAlgorithm,
  );
  const now = secondsOf(new Date());
  return new SignJWT({
    ...(authenticatedAt !== null && { auth_time: secondsOf(authenticatedAt) }),
    ...(nonce !== null && { nonce }),
    ...(accessToken !== null && { at_hash: accessTokenHash(accessToken) }),
    ...claims,
  })
    .setProtectedHeader({ alg: signingAlgorithm, kid: key.keyId, typ: 'JWT' })
    .setIssuer(ctx.baseUrl)
    .setSubject(String(userId))
    .setAudience(clientId)
    .setIssuedAt(now)
    .setExpirationTime(now + idTokenLifetime)
    .sign(privateKey);
}

/** The claims about the user. Groups are left out rather than cut off: userinfo lists more. */
async function claimsFor(
  { userId, scopes, isInAddress }: Identification,
  ctx: Pick<Context, 'db' | 'baseUrl' | 'settings'>,
) {
  const user = await claimsOf(userId, scopes, ctx);
  const groups = isInAddress ? null : await directGroupPaths(userId, mostGroups + 1, ctx);
  return {
    name: user.name,
    nickname: user.username,
    preferred_username: user.username,
    profile: user.profileUrl,
    ...(user.pictureUrl !== null && { picture: user.pictureUrl }),
    ...(user.websiteUrl !== null && { website: user.websiteUrl }),
    ...(user.email !== null && { email: user.email, email_verified: user.isEmailVerified }),
    ...(groups && groups.length <= mostGroups && { groups_direct: groups }),
  };
}
