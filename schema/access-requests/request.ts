import type { Context } from '../kernel/context.ts';
import { forbidden, invalid } from '../kernel/errors.ts';
import { onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { lockUser, sourceColumns } from '../members/members.ts';
import { unexpired } from '../members/valid.ts';
import { findReadableSource, type GroupOrProjectRef } from '../projects/group-or-project.ts';
import { canRequestAccess } from './policy.ts';

/**
 * Requests membership for the viewer; returns the request's id. Throws for members, for sources
 * that allow no requests, and for a second request (specification, "States and transitions";
 * v4-behaviour 2.8).
 */
export async function requestAccess(ref: GroupOrProjectRef, ctx: Context): Promise<number> {
  const { source, viewer } = await findReadableSource(ref, ctx);
  if (!canRequestAccess(viewer, source)) throw forbidden();
  const sourceAndUser = { ...sourceColumns(source), userId: viewer.id };
  return transact(ctx.db, async (tx) => {
    await lockUser(tx, viewer.id);
    // the viewer may have become a member concurrently
    const where = { ...sourceAndUser, ...unexpired() };
    if (await tx.member.findFirst({ where, select: { id: true } })) throw forbidden();
    const { id } = await tx.accessRequest.create({ data: sourceAndUser, select: { id: true } });
    return id;
  }).catch(onUniqueViolation(() => invalid({ base: ['already exists in source'] })));
}
