import type { Context } from '../kernel/context.ts';

/** Ends a token; one that was ended before keeps its moment. It stays listed. */
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
