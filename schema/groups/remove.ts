import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { lockNamespace } from '../namespaces/lock.ts';
import { removeNamespace } from '../namespaces/remove.ts';
import { findGroup } from './find.ts';
import { canAdministerGroup } from './policy.ts';

/**
 * Removes a group with everything below it: hidden when this resolves, deleted when its job is
 * done.
 */
export async function removeGroup(ref: string, ctx: Context): Promise<number> {
  const group = await findGroup(ref, ctx, canAdministerGroup);
  const { id } = group;
  await transact(ctx.db, async (tx) => {
    // prevents changes and new records below it
    await lockNamespace(tx, group);
    const locked = await tx.namespace.findFirst({ where: { id, isRemoved: false } });
    if (!locked) throw notFound('Group');
    refuseModified(locked, ctx);
    await removeNamespace(tx, id, ctx.jobs);
  });
  ctx.viewers.forgetAll();
  return id;
}
