import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { endOtherSessions } from './end-sessions.ts';
import { canManageUsers } from './policy.ts';

/**
 * Shuts somebody out, everywhere and at once; tells whether this changed anything. Administrators
 * only, and not themselves; whom the directory server blocked stays so (v4-behaviour 3.1).
 */
export async function blockUser(id: number, ctx: Context): Promise<boolean> {
  if (canManageUsers(ctx.viewer) && ctx.viewer?.id === id) {
    throw forbidden('The API initiating user cannot be blocked by the API');
  }
  return changeState(id, { from: 'active', to: 'blocked' }, 'modified', ctx);
}

/** Lets somebody in again; tells whether this changed anything. */
export const unblockUser = (id: number, ctx: Context): Promise<boolean> =>
  changeState(id, { from: 'blocked', to: 'active' }, 'unblocked', ctx);

type State = 'active' | 'blocked';

async function changeState(
  id: number,
  { from, to }: { readonly from: State; readonly to: State },
  verb: string,
  { db, viewer, viewers }: Context,
): Promise<boolean> {
  if (!canManageUsers(viewer)) throw forbidden();
  // names the state it starts from: of many at once, one has changed it
  const { count } = await db.user.updateMany({ where: { id, state: from }, data: { state: to } });
  if (count > 0) {
    // blocked, they are nobody at once; let in again, they sign in again
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
