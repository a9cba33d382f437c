import { randomBytes, randomUUID } from 'node:crypto';
import { Prisma, type Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';

/** The lifetime of an access token in seconds. */
export const accessTokenLifetime = 7200;

const day = 86_400_000;
/** Milliseconds after its expiry in which a token is still recognized. */
const remembered = 30 * day;
/** Milliseconds after the access token's expiry in which the refresh token is valid. */
const refreshTokenLifetime = 365 * day;
const mostSwept = 100;

/** A new token; its texts are available only now. */
export interface IssuedToken {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly userId: number | null;
  readonly authenticatedAt: Date | null;
}

/** A new token, with what its ID token says. */
export interface IdentifiedToken extends IssuedToken {
  /** The Application ID; null for a token created with a password only. */
  readonly clientId: string | null;
  /** Of the authorization request. */
  readonly nonce: string | null;
}

/** The holder of a token: an application, for a user or for itself, or a user. */
export interface Holder {
  readonly applicationId: number | null;
  readonly userId: number | null;
}

interface NewToken extends Holder {
  readonly scopes: readonly string[];
  readonly isRefreshable: boolean;
  /** Tokens of a family are revoked together; omitted for the first of a new family. */
  readonly family?: string;
  /** When the user signed in to authorize the application; omitted if it is unknown. */
  readonly authenticatedAt?: Date | null;
}

/** 64 hex characters, for codes and tokens. */
export const newTokenText = (): string => randomBytes(32).toString('hex');

/** The expiry of a refresh token whose access token expires at this time. */
export const refreshEnd = (expiresAt: Date): Date =>
  new Date(expiresAt.getTime() + refreshTokenLifetime);

/**
 * Creates an access token, stored as digests only; also deletes some of the holder's expired
 * tokens.
 */
export async function issueToken(
  newToken: NewToken,
  tx: Transaction,
  { secrets }: Pick<Context, 'secrets'>,
): Promise<IssuedToken> {
  const { applicationId, userId, scopes, isRefreshable, family = randomUUID() } = newToken;
  const { authenticatedAt = null } = newToken;
  await sweep({ applicationId, userId }, tx);
  const accessToken = newTokenText();
  const refreshToken = isRefreshable ? newTokenText() : null;
  const createdAt = new Date();
  await tx.oauthToken.create({
    data: {
      applicationId,
      userId,
      scopes: [...scopes],
      family,
      authenticatedAt,
      digest: secrets.digest(accessToken),
      refreshDigest: refreshToken === null ? null : secrets.digest(refreshToken),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + accessTokenLifetime * 1000),
    },
    select: { id: true },
  });
  return { accessToken, refreshToken, scopes, createdAt, userId, authenticatedAt };
}

/** Rows locked by another transaction are left for the next time. */
async function sweep({ applicationId, userId }: Holder, tx: Transaction): Promise<void> {
  const now = Date.now();
  await tx.$executeRaw`
    DELETE FROM oauth_tokens WHERE id IN (
      SELECT id FROM oauth_tokens
      WHERE ${is('user_id', userId)} AND ${is('application_id', applicationId)}
        AND (expires_at < ${new Date(now - refreshTokenLifetime)}
          OR (expires_at < ${new Date(now - remembered)}
            AND (refresh_digest IS NULL OR revoked_at IS NOT NULL)))
      LIMIT ${mostSwept} FOR UPDATE SKIP LOCKED)`;
}

/** Written so that an index applies. */
const is = (column: 'user_id' | 'application_id', id: number | null) => {
  const name = Prisma.raw(column);
  return id === null ? Prisma.sql`${name} IS NULL` : Prisma.sql`${name} = ${id}`;
};

/** The condition of rows that are valid now, or exchangeable for a valid token. */
export const usableTokens = (): Prisma.Sql => {
  const now = Date.now();
  return Prisma.sql`(revoked_at IS NULL AND (expires_at > ${new Date(now)}
    OR (refresh_digest IS NOT NULL AND expires_at > ${new Date(now - refreshTokenLifetime)})))`;
};

/** Revokes a token with all its ancestors and descendants, and deletes the SSH keys that they added. */
export async function revokeTokenFamily(
  { family, userId }: { readonly family: string; readonly userId: number | null },
  { db, viewers }: Pick<Context, 'db' | 'viewers'>,
): Promise<void> {
  await transact(db, async (tx) => {
    // this waits for a token being refreshed, and includes its replacement
    await tx.$queryRaw`
      SELECT id FROM oauth_tokens WHERE family = ${family}::uuid ORDER BY id FOR UPDATE`;
    await tx.oauthToken.updateMany({
      where: { family, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (userId !== null) await tx.key.deleteMany({ where: { userId, oauthFamily: family } });
  });
  viewers.forget(userId ?? 0);
}
