import type { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { authenticateClient, isClosed, type ShownClient } from './client.ts';
import { oauthRefusal } from './refusal.ts';
import { endFamily, refreshEnd } from './tokens.ts';

const whole = {
  application: { select: { id: true, uid: true, ownerId: true, isConfidential: true } },
  user: { select: { id: true, username: true, state: true } },
} as const satisfies Prisma.OauthTokenInclude;

export type TokenWithOwner = Prisma.OauthTokenGetPayload<{ include: typeof whole }>;

const isOfSomebodyActive = ({ userId, user }: TokenWithOwner) =>
  userId === null || user?.state === 'active';

/**
 * A valid access token; throws `invalid_request` otherwise, also for a disabled application
 * (v4-behaviour 2.16).
 */
export async function findAccessToken(
  token: string,
  ctx: Pick<Context, 'db' | 'secrets' | 'settings' | 'request' | 'signInLimits'>,
): Promise<TokenWithOwner> {
  const digest = ctx.secrets.digest(token);
  const found = await ctx.db.oauthToken.findUnique({ where: { digest }, include: whole });
  const isGood =
    found && !found.revokedAt && found.expiresAt > new Date() && isOfSomebodyActive(found);
  if (!isGood || (found.application && isClosed(found.application, ctx))) {
    throw oauthRefusal('invalid_request');
  }
  return found;
}

/** The access or refresh token with this text, valid or not. */
async function findEither(
  token: string,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<(TokenWithOwner & { readonly isRefreshToken: boolean }) | null> {
  const digest = secrets.digest(token);
  const found = await db.oauthToken.findFirst({
    where: { OR: [{ digest }, { refreshDigest: digest }] },
    include: whole,
  });
  return found && { ...found, isRefreshToken: Buffer.compare(found.digest, digest) !== 0 };
}

/** The token data returned to its application. */
export interface Introspection {
  readonly token: TokenWithOwner;
  /** For a refresh token, when it can no longer be used. */
  readonly expiresAt: Date;
  readonly isRefreshToken: boolean;
}

/**
 * The data of a token for the application it was issued to (RFC 7662); null if it is not valid, or
 * another application's. Throws `invalid_client` if the application does not authenticate.
 */
export async function introspect(
  token: string,
  client: ShownClient | null,
  ctx: Pick<Context, 'db' | 'secrets' | 'settings' | 'request' | 'signInLimits'>,
): Promise<Introspection | null> {
  const application = client && (await authenticateClient(client, ctx));
  // a client without a secret must not be able to probe tokens
  if (!application?.isConfidential) throw oauthRefusal('invalid_client');
  const found = await findEither(token, ctx);
  if (!found || found.applicationId !== application.id || found.revokedAt) return null;
  const { isRefreshToken } = found;
  const expiresAt = isRefreshToken ? refreshEnd(found.expiresAt) : found.expiresAt;
  if (expiresAt <= new Date() || !isOfSomebodyActive(found)) return null;
  return isClosed(application, ctx) ? null : { token: found, expiresAt, isRefreshToken };
}

/**
 * Revokes a token with all its ancestors and descendants (RFC 7009). Silently ignores unknown
 * tokens and those of other applications.
 */
export async function revokeToken(
  token: string,
  client: ShownClient | null,
  ctx: Pick<Context, 'db' | 'secrets' | 'viewers' | 'request' | 'signInLimits'>,
): Promise<void> {
  const found = await findEither(token, ctx);
  if (!found) return;
  if (client || found.application?.isConfidential) {
    const application = client && (await authenticateClient(client, ctx).catch(() => null));
    if (!application || application.id !== found.applicationId) return;
  }
  await endFamily(found, ctx);
}
