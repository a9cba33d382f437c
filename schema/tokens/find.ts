import type { Context } from '../kernel/context.ts';
import { forbidden, notFound, unauthenticated } from '../kernel/errors.ts';
import { canManageImpersonationTokens } from './policy.ts';

/** Refuses everyone but administrators, then a user there is not (v4-behaviour 3.11). */
export async function findHolder(
  userId: number,
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
): Promise<void> {
  if (!viewer) throw unauthenticated();
  if (!canManageImpersonationTokens(viewer)) throw forbidden();
  const user = await db.user.findUnique({ where: { id: userId }, select: { id: true } });
  if (!user) throw notFound('User');
}

/** One impersonation token of a user; refuses as `findHolder` does, and a token there is not. */
export async function findImpersonationToken(
  { userId, id }: { readonly userId: number; readonly id: number },
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<{ readonly id: number }> {
  await findHolder(userId, ctx);
  const token = await ctx.db.accessToken.findFirst({
    where: { id, userId, kind: 'impersonation' },
    select: { id: true },
  });
  if (!token) throw notFound('Impersonation Token');
  return token;
}
