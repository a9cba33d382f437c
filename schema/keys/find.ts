import type { Context } from '../kernel/context.ts';
import { delegatedAccess, forbidden, notFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { findProject } from '../projects/find.ts';
import { canManageDeployKeys, canManageKeys, canSeeAllKeys } from './policy.ts';

type Asking = Pick<Context, 'db' | 'viewer'>;

/** Throws unless the viewer is an administrator. */
export function requireKeyAdministrator(ctx: Pick<Context, 'viewer'>): void {
  if (!canSeeAllKeys(signedIn(ctx))) throw forbidden();
}

/** The user whose keys are accessed: the viewer, or the one that an administrator names. */
export async function findKeyOwner(userId: number | null | undefined, ctx: Asking) {
  const viewer = signedIn(ctx);
  if (userId === null || userId === undefined || userId === viewer.id) return viewer.id;
  if (!canManageKeys(viewer, userId)) throw forbidden();
  const user = await ctx.db.user.findUnique({ where: { id: userId }, select: { id: true } });
  if (!user) throw notFound('User');
  return user.id;
}

/**
 * The user whose keys are changed. Keys of other users need the administrator in person: they would outlive a
 * revoked OAuth access token.
 */
export async function findKeyOwnerInPerson(
  userId: number | null | undefined,
  ctx: Asking & Pick<Context, 'request'>,
) {
  const isOther = typeof userId === 'number' && userId !== signedIn(ctx).id;
  if (isOther && ctx.request.isDelegated) throw delegatedAccess();
  return findKeyOwner(userId, ctx);
}

/** A project whose deploy keys the viewer manages. */
export async function findDeployKeyProject(ref: string, ctx: Asking) {
  signedIn(ctx);
  return findProject(ref, ctx, (_viewer, level) => canManageDeployKeys(level));
}

export const keyNotFound = () => notFound('Key');

export const deployKeyNotFound = () => notFound('Deploy Key');
