import { randomBytes, randomUUID } from 'node:crypto';
import { Prisma, type Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';

/** Seconds that an access token is good for. */
export const lifetime = 7200;

const day = 86_400_000;
/** Milliseconds after its end for which a token is told from one that never was. */
const remembered = 30 * day;
/** Milliseconds after the access token's end in which a refresh token may be used. */
export const refreshable = 365 * day;
const mostSwept = 100;

/** A token just made; the only time that its texts are known. */
export interface IssuedToken {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
}

/** Whose a token is: an application's, for somebody or for itself, or somebody's own. */
export interface Holder {
  readonly applicationId: number | null;
  readonly userId: number | null;
}

interface NewToken extends Holder {
  readonly scopes: readonly string[];
  readonly isRefreshable: boolean;
  /** Ends with all others of this name; left out, the first of a new one. */
  readonly family?: string;
}

/** 64 hex characters, as codes and tokens are. */
export const newText = (): string => randomBytes(32).toString('hex');

/** Until when a refresh token may be used whose access token ends at this moment. */
export const refreshEnd = (expiresAt: Date): Date => new Date(expiresAt.getTime() + refreshable);

/** Makes an access token, kept as digests only; some of the holder's long ended ones go. */
export async function issueToken(
  { applicationId, userId, scopes, isRefreshable, family = randomUUID() }: NewToken,
  tx: Transaction,
  { secrets }: Pick<Context, 'secrets'>,
): Promise<IssuedToken> {
  await sweep({ applicationId, userId }, tx);
  const accessToken = newText();
  const refreshToken = isRefreshable ? newText() : null;
  const createdAt = new Date();
  await tx.oauthToken.create({
    data: {
      applicationId,
      userId,
      scopes: [...scopes],
      family,
      digest: secrets.digest(accessToken),
      refreshDigest: refreshToken === null ? null : secrets.digest(refreshToken),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + lifetime * 1000),
    },
    select: { id: true },
  });
  return { accessToken, refreshToken, scopes, createdAt };
}

/** What is locked is somebody else's at this moment, and waits for the next time. */
async function sweep({ applicationId, userId }: Holder, tx: Transaction): Promise<void> {
  const now = Date.now();
  await tx.$executeRaw`
    DELETE FROM oauth_tokens WHERE id IN (
      SELECT id FROM oauth_tokens
      WHERE ${is('user_id', userId)} AND ${is('application_id', applicationId)}
        AND (expires_at < ${new Date(now - refreshable)}
          OR (expires_at < ${new Date(now - remembered)}
            AND (refresh_digest IS NULL OR revoked_at IS NOT NULL)))
      LIMIT ${mostSwept} FOR UPDATE SKIP LOCKED)`;
}

/** In words that an index serves. */
const is = (column: 'user_id' | 'application_id', id: number | null) => {
  const name = Prisma.raw(column);
  return id === null ? Prisma.sql`${name} IS NULL` : Prisma.sql`${name} = ${id}`;
};

/** Ends a token, all that came of it and all it came of. */
export async function endFamily(
  { family, userId }: { readonly family: string; readonly userId: number | null },
  { db, viewers }: Pick<Context, 'db' | 'viewers'>,
): Promise<void> {
  await transact(db, async (tx) => {
    // one that is being refreshed is waited for, and the one that takes its place is seen
    await tx.$queryRaw`
      SELECT id FROM oauth_tokens WHERE family = ${family}::uuid ORDER BY id FOR UPDATE`;
    await tx.oauthToken.updateMany({
      where: { family, revokedAt: null },
      data: { revokedAt: new Date() },
    });
  });
  viewers.forget(userId ?? 0);
}
