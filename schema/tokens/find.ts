import type { Context } from '../kernel/context.ts';
import { forbidden, notFound, unauthenticated } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { canManageImpersonationTokens } from './policy.ts';

/**
 * The user whose impersonation tokens are managed. Throws unless the viewer is an administrator,
 * then if the user does not exist (v4-behaviour 3.11).
 */
export async function findHolder(
  userId: number,
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
): Promise<void> {
  if (!viewer) throw unauthenticated();
  if (!canManageImpersonationTokens(viewer)) throw forbidden();
  const user = await db.user.findUnique({ where: { id: userId }, select: { id: true } });
  if (!user) throw notFound('User');
}

/**
 * An impersonation token of a user; throws as `findHolder` does, and if the token does not exist.
 */
export async function findImpersonationToken(
  { userId, id }: { readonly userId: number; readonly id: number },
  ctx: Pick<Context, 'db' | 'viewer'>,
): Promise<{ readonly id: number }> {
  await findHolder(userId, ctx);
  return orThrow(
    ctx.db.accessToken.findFirst({
      where: { id, userId, kind: 'impersonation' },
      select: { id: true },
    }),
    () => notFound('Impersonation Token'),
  );
}
