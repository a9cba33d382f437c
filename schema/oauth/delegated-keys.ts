import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { refreshEnd } from './tokens.ts';

/*
 * SSH keys that applications have added for their users. They end with the authorization that added them: those
 * of an application when it is revoked, those of the password grant also when their tokens can no longer be
 * refreshed.
 */

/** Whether a family of tokens is still valid; its tokens are locked, so that a concurrent revocation waits. */
export async function lockTokenFamily(family: string, tx: Transaction): Promise<boolean> {
  const tokens = await tx.$queryRaw<unknown[]>`
    SELECT id FROM oauth_tokens WHERE family = ${family}::uuid AND revoked_at IS NULL FOR SHARE`;
  return tokens.length > 0;
}

/** When the tokens of a family can no longer be used or refreshed; null: they already cannot. */
export async function endOfTokenFamily(
  family: string,
  { db }: Pick<Context, 'db'>,
): Promise<Date | null> {
  const token = await db.oauthToken.findFirst({
    where: { family, revokedAt: null },
    orderBy: { id: 'desc' },
    select: { expiresAt: true, refreshDigest: true },
  });
  if (!token) return null;
  const end = token.refreshDigest === null ? token.expiresAt : refreshEnd(token.expiresAt);
  return end > new Date() ? end : null;
}

/** Deletes the keys of the password grant whose tokens can no longer be used or refreshed. */
export async function deleteKeysOfEndedGrants(ctx: Pick<Context, 'db'>): Promise<void> {
  const { db } = ctx;
  const keys = await db.key.findMany({
    where: { oauthFamily: { not: null }, oauthApplicationId: null },
    select: { id: true, oauthFamily: true },
  });
  for (const { id, oauthFamily } of keys) {
    if (oauthFamily !== null && (await endOfTokenFamily(oauthFamily, ctx)) === null) {
      await db.key.deleteMany({ where: { id } });
    }
  }
}
