import type { Context } from '../kernel/context.ts';
import { takeNamespace } from '../kernel/routes.ts';
import { transact } from '../kernel/storage-errors.ts';
import { findGroup } from './find.ts';
import { canAdministerGroup } from './policy.ts';

/** How many repositories one job removes. */
const batch = 500;

/**
 * Removes a group with everything below it at once; the repositories leave the disk in jobs that
 * exist exactly if the records are gone.
 */
export async function removeGroup(ref: string, ctx: Context): Promise<void> {
  const group = await findGroup(ref, ctx, canAdministerGroup);
  const { id } = group;
  await transact(ctx.db, async (tx) => {
    // nobody makes a project below it from here on: each has its job
    await takeNamespace(tx, group);
    for (let last = 0; ; ) {
      const projects = await tx.project.findMany({
        where: { namespace: { ancestorIds: { has: id } }, id: { gt: last } },
        orderBy: { id: 'asc' },
        take: batch,
        select: { id: true, storage: true, diskPath: true },
      });
      if (projects.length === 0) break;
      const repositories = projects.map(({ storage, diskPath }) => ({ storage, diskPath }));
      await ctx.jobs.enqueue('remove-repositories', { repositories }, tx);
      last = projects.at(-1)?.id ?? last;
    }
    await tx.project.deleteMany({ where: { namespace: { ancestorIds: { has: id } } } });
    await tx.namespace.deleteMany({ where: { ancestorIds: { has: id } } });
  });
}
