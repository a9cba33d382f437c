import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import {
  belongingTo,
  checkLevel,
  endRequest,
  type Grant,
  lockUser,
  makeMember,
} from '../members/members.ts';
import { unexpired } from '../members/valid.ts';
import {
  findGroupOrProject,
  findManaged,
  type GroupOrProjectRef,
} from '../projects/group-or-project.ts';

/**
 * Makes the requester a member; returns the membership's id. For users who manage members; throws
 * for an access level that the source does not have, and without a request (v4-behaviour 2.8).
 */
export async function approveRequest(
  asked: GroupOrProjectRef,
  grant: Pick<Grant, 'userId' | 'accessLevel'>,
  ctx: Context,
): Promise<number> {
  const source = await findManaged(asked, ctx);
  checkLevel(source, grant.accessLevel);
  const { userId } = grant;
  const id = await transact(ctx.db, async (tx) => {
    await lockUser(tx, userId);
    if (!(await endRequest(tx, source, userId))) throw recordNotFound();
    // the new membership replaces an expired one
    await tx.member.deleteMany({
      where: { ...belongingTo(source), userId, NOT: unexpired() },
    });
    return makeMember(tx, source, grant);
  });
  ctx.viewers.forget(userId);
  return id;
}

/** Deletes a request; for users who manage members, and the requester. */
export async function denyRequest(
  asked: GroupOrProjectRef,
  userId: number,
  ctx: Context,
): Promise<void> {
  const find = ctx.viewer?.id === userId ? findGroupOrProject : findManaged;
  if (!(await endRequest(ctx.db, await find(asked, ctx), userId))) throw recordNotFound();
}
