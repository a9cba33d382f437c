import type { Context } from '../kernel/context.ts';
import { takeNamespace } from '../kernel/routes.ts';
import { transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { removeNamespace } from '../namespaces/remove.ts';
import { findGroup } from './find.ts';
import { canAdministerGroup } from './policy.ts';

/** Removes a group with everything below it: hidden when this resolves, gone when its job is done. */
export async function removeGroup(ref: string, ctx: Context): Promise<void> {
  const group = await findGroup(ref, ctx, canAdministerGroup);
  refuseModified(group, ctx);
  await transact(ctx.db, async (tx) => {
    // nobody makes a project below it from here on
    await takeNamespace(tx, group);
    await removeNamespace(tx, group.id, ctx.jobs);
  });
  ctx.viewers.forgetAll();
}
