import type { Prisma } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { authenticateClient, type ClientCredentialsInput, isDisabled } from './client.ts';
import { oauthRefusal } from './refusal.ts';
import { refreshEnd, revokeTokenFamily } from './tokens.ts';
import { refuseToken } from './wrong-token.ts';

const tokenInclude = {
  application: { select: { id: true, uid: true, ownerId: true, isConfidential: true } },
  user: { select: { id: true, username: true, state: true } },
} as const satisfies Prisma.OauthTokenInclude;

export type TokenWithOwner = Prisma.OauthTokenGetPayload<{ include: typeof tokenInclude }>;

const isUserActive = ({ userId, user }: TokenWithOwner) =>
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
  const record = await ctx.db.oauthToken.findUnique({ where: { digest }, include: tokenInclude });
  const refusal = oauthRefusal('invalid_request');
  if (!record && token !== '') return refuseToken(refusal, ctx);
  if (!record || !isUsable(record, ctx)) throw refusal;
  return record;
}

const isUsable = (record: TokenWithOwner, ctx: Pick<Context, 'settings'>): boolean =>
  !record.revokedAt &&
  record.expiresAt > new Date() &&
  isUserActive(record) &&
  !(record.application && isDisabled(record.application, ctx));

/**
 * The user and the scopes of a valid access token with the scope `openid`. Throws `invalid_token`
 * or `insufficient_scope` (RFC 6750, 3.1), and after too many unknown tokens.
 */
export async function findIdentifyingToken(
  token: string,
  ctx: Pick<Context, 'db' | 'secrets' | 'settings' | 'request' | 'signInLimits'>,
): Promise<{ readonly userId: number; readonly scopes: readonly string[] }> {
  const refusal = oauthRefusal('invalid_token');
  if (token === '') throw refusal;
  const digest = ctx.secrets.digest(token);
  const record = await ctx.db.oauthToken.findUnique({ where: { digest }, include: tokenInclude });
  if (!record) return refuseToken(refusal, ctx);
  const { userId, scopes } = record;
  if (userId === null || !isUsable(record, ctx)) throw refusal;
  if (!scopes.includes('openid')) throw oauthRefusal('insufficient_scope');
  return { userId, scopes };
}

/** The access or refresh token with this text, valid or not. */
async function findAnyToken(
  token: string,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<(TokenWithOwner & { readonly isRefreshToken: boolean }) | null> {
  const digest = secrets.digest(token);
  const record = await db.oauthToken.findFirst({
    where: { OR: [{ digest }, { refreshDigest: digest }] },
    include: tokenInclude,
  });
  return record && { ...record, isRefreshToken: Buffer.compare(record.digest, digest) !== 0 };
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
  client: ClientCredentialsInput | null,
  ctx: Pick<Context, 'db' | 'secrets' | 'settings' | 'request' | 'signInLimits'>,
): Promise<Introspection | null> {
  const application = client && (await authenticateClient(client, ctx));
  // a client without a secret must not be able to probe tokens
  if (!application?.isConfidential) throw oauthRefusal('invalid_client');
  const record = await findAnyToken(token, ctx);
  if (!record || record.applicationId !== application.id || record.revokedAt) return null;
  const { isRefreshToken } = record;
  const expiresAt = isRefreshToken ? refreshEnd(record.expiresAt) : record.expiresAt;
  if (expiresAt <= new Date() || !isUserActive(record)) return null;
  return isDisabled(application, ctx) ? null : { token: record, expiresAt, isRefreshToken };
}

/**
 * Revokes a token with all its ancestors and descendants (RFC 7009). Silently ignores unknown
 * tokens and those of other applications.
 */
export async function revokeToken(
  token: string,
  client: ClientCredentialsInput | null,
  ctx: Pick<Context, 'db' | 'secrets' | 'viewers' | 'request' | 'signInLimits'>,
): Promise<void> {
  const record = await findAnyToken(token, ctx);
  if (!record) return;
  if (client || record.application?.isConfidential) {
    const application = client && (await authenticateClient(client, ctx).catch(() => null));
    if (!application || application.id !== record.applicationId) return;
  }
  await revokeTokenFamily(record, ctx);
}
