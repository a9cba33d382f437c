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
 * Makes a member of somebody who asked; gives the membership's id. For those who manage members;
 * refuses a level the source does not know and who did not ask (v4-behaviour 2.8).
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
    // a membership that has run out is followed by the new one
    await tx.member.deleteMany({
      where: { ...belongingTo(source), userId, NOT: unexpired() },
    });
    return makeMember(tx, source, grant);
  });
  ctx.viewers.forget(userId);
  return id;
}

/** Ends a request without making a member: those who manage members may, and who asked. */
export async function denyRequest(
  asked: GroupOrProjectRef,
  userId: number,
  ctx: Context,
): Promise<void> {
  const find = ctx.viewer?.id === userId ? findGroupOrProject : findManaged;
  if (!(await endRequest(ctx.db, await find(asked, ctx), userId))) throw recordNotFound();
}
