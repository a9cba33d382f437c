import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { endOtherSessions } from './end-sessions.ts';
import { canManageUsers } from './policy.ts';

type StateParts = Pick<Context, 'db' | 'viewer' | 'viewers'>;

/**
 * Blocks a user everywhere at once; returns whether this changed anything. Administrators only, and
 * not themselves; a user blocked by the directory server stays so (v4-behaviour 3.1).
 */
export async function blockUser(id: number, ctx: StateParts): Promise<boolean> {
  if (canManageUsers(ctx.viewer) && ctx.viewer?.id === id) {
    throw forbidden('The API initiating user cannot be blocked by the API');
  }
  return changeState(id, { from: 'active', to: 'blocked' }, 'modified', ctx);
}

/** Unblocks a user; returns whether this changed anything. */
export const unblockUser = (id: number, ctx: StateParts): Promise<boolean> =>
  changeState(id, { from: 'blocked', to: 'active' }, 'unblocked', ctx);

type State = 'active' | 'blocked';

async function changeState(
  id: number,
  { from, to }: { readonly from: State; readonly to: State },
  verb: string,
  { db, viewer, viewers }: StateParts,
): Promise<boolean> {
  if (!canManageUsers(viewer)) throw forbidden();
  // filters by the former state, so that of concurrent requests one reports the change
  const { count } = await db.user.updateMany({ where: { id, state: from }, data: { state: to } });
  if (count > 0) {
    // blocking ends all sessions at once; after unblocking the user signs in again
    if (to === 'blocked') await endOtherSessions(id, null, db);
    viewers.forget(id);
    return true;
  }
  const user = await db.user.findUnique({ where: { id }, select: { state: true } });
  if (!user) throw notFound('User');
  if (user.state === 'ldap_blocked') {
    throw forbidden(`LDAP blocked users cannot be ${verb} by the API`);
  }
  return false;
}
