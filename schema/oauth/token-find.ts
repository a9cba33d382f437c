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
 * A good access token; anything else, and one of an application that is closed, is refused with
 * `invalid_request` (v4-behaviour 2.16).
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

/** An access or refresh token with this text, whatever has become of it. */
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

/** What a program is told of its own token. */
export interface Introspection {
  readonly token: TokenWithOwner;
  /** A refresh token's is when it can no more be used. */
  readonly expiresAt: Date;
  readonly isRefreshToken: boolean;
}

/**
 * What there is to tell of a token to the application it was given to (RFC 7662); null of one that is
 * not good, or is another's. Refuses who does not prove to be an application with `invalid_client`.
 */
export async function introspect(
  token: string,
  client: ShownClient | null,
  ctx: Pick<Context, 'db' | 'secrets' | 'settings' | 'request' | 'signInLimits'>,
): Promise<Introspection | null> {
  const application = client && (await authenticateClient(client, ctx));
  // tokens are not to be tried out by who shows nothing but a name
  if (!application?.isConfidential) throw oauthRefusal('invalid_client');
  const found = await findEither(token, ctx);
  if (!found || found.applicationId !== application.id || found.revokedAt) return null;
  const { isRefreshToken } = found;
  const expiresAt = isRefreshToken ? refreshEnd(found.expiresAt) : found.expiresAt;
  if (expiresAt <= new Date() || !isOfSomebodyActive(found)) return null;
  return isClosed(application, ctx) ? null : { token: found, expiresAt, isRefreshToken };
}

/**
 * Ends a token with all it came of and all that came of it (RFC 7009). What is none, and what is
 * another application's, is left alone without a word.
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
