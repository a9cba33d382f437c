import type { Context } from '../kernel/context.ts';
import { transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { shareLockNamespaces } from '../namespaces/lock.ts';
import { findProject } from './find.ts';
import { changeForkCount } from './forks-count.ts';
import { lockProject } from './lock.ts';
import { canAdministerProject } from './policy.ts';

/**
 * Removes a project: it is hidden and its path is free when this resolves. A job in the same
 * transaction removes the repository from the disk, then the rows.
 */
export async function removeProject(
  ref: string,
  ctx: Pick<Context, 'db' | 'jobs' | 'request' | 'viewer' | 'viewers'>,
): Promise<number> {
  const project = await findProject(ref, ctx, (_viewer, level) => canAdministerProject(level));
  const { id } = project;
  await transact(ctx.db, async (tx) => {
    // prevents renames of the groups above, which lock routes before projects
    await shareLockNamespaces(tx, [project.namespaceId]);
    const locked = await lockProject(tx, id);
    refuseModified(locked, ctx);
    await tx.route.deleteMany({ where: { projectId: id } });
    await tx.formerPath.deleteMany({ where: { projectId: id } });
    // frees the name at once; names contain no slash, so the new one cannot be taken
    const data = { isRemoved: true, name: `${locked.name}/${id}` };
    await tx.project.update({ where: { id }, data, select: { id: true } });
    if (locked.forkedFromId !== null) await changeForkCount(tx, locked.forkedFromId, -1);
    await ctx.jobs.enqueue('remove-project', { projectId: id }, tx);
  });
  // users who saw the group because of this project may no longer see it
  ctx.viewers.forgetAll();
  return id;
}
