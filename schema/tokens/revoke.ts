import type { Context } from '../kernel/context.ts';

/** Revokes a token, which stays listed; a repeated call keeps the first time. */
export async function revokeToken(
  { id, userId }: { readonly id: number; readonly userId: number },
  { db, viewers }: Pick<Context, 'db' | 'viewers'>,
): Promise<void> {
  await db.accessToken.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  viewers.forget(userId);
}
