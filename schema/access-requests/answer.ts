import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import {
  checkAccessLevel,
  createMember,
  deleteAccessRequest,
  lockUser,
  type MembershipInput,
  sourceColumns,
} from '../members/members.ts';
import { unexpired } from '../members/valid.ts';
import {
  findGroupOrProject,
  findWithManagedMembers,
  type GroupOrProjectRef,
} from '../projects/group-or-project.ts';

/**
 * Makes the requester a member; returns the membership's id. For users who manage members; throws
 * for an access level that the source does not have, and without a request (v4-behaviour 2.8).
 */
export async function approveRequest(
  ref: GroupOrProjectRef,
  grant: Pick<MembershipInput, 'userId' | 'accessLevel'>,
  ctx: Context,
): Promise<number> {
  const source = await findWithManagedMembers(ref, ctx);
  checkAccessLevel(source, grant.accessLevel);
  const { userId } = grant;
  const id = await transact(ctx.db, async (tx) => {
    await lockUser(tx, userId);
    if (!(await deleteAccessRequest(tx, source, userId))) throw recordNotFound();
    // the new membership replaces an expired one
    await tx.member.deleteMany({
      where: { ...sourceColumns(source), userId, NOT: unexpired() },
    });
    return createMember(tx, source, grant);
  });
  ctx.viewers.forget(userId);
  return id;
}

/** Deletes a request; for users who manage members, and the requester. */
export async function denyRequest(
  ref: GroupOrProjectRef,
  userId: number,
  ctx: Context,
): Promise<void> {
  const find = ctx.viewer?.id === userId ? findGroupOrProject : findWithManagedMembers;
  if (!(await deleteAccessRequest(ctx.db, await find(ref, ctx), userId))) throw recordNotFound();
}
