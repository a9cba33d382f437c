import type { Context } from '../kernel/context.ts';
import { findProject } from './find.ts';
import { canAdministerProject } from './policy.ts';

/**
 * Removes a project at once; its repository leaves the disk in a job that exists exactly if the
 * record is gone.
 */
export async function removeProject(ref: string, ctx: Context): Promise<void> {
  const { id, storage, diskPath } = await findProject(ref, ctx, (_viewer, level) =>
    canAdministerProject(level),
  );
  await ctx.db.$transaction(async (tx) => {
    await tx.project.deleteMany({ where: { id } });
    await ctx.jobs.enqueue('remove-repositories', { repositories: [{ storage, diskPath }] }, tx);
  });
}
