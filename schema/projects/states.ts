import type { Context } from '../kernel/context.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { findProject } from './find.ts';
import { lockProject } from './lock.ts';
import { canAdministerProject } from './policy.ts';

/** Archives or unarchives a project; owners only. Returns its id; idempotent. */
export async function setArchived(ref: string, isArchived: boolean, ctx: Context): Promise<number> {
  const { id } = await findProject(ref, ctx, (_viewer, level) => canAdministerProject(level));
  await transact(ctx.db, async (tx) => {
    await lockProject(tx, id);
    await tx.project.updateMany({ where: { id, isArchived: !isArchived }, data: { isArchived } });
  });
  return id;
}

/** The project, and whether the viewer's star changed. */
export interface StarChange {
  readonly projectId: number;
  readonly hasChanged: boolean;
}

/**
 * Adds (1) or removes (-1) the viewer's star of a project that the viewer can see, and updates its
 * star count in the same transaction.
 */
export async function changeStar(ref: string, ctx: Context, by: 1 | -1): Promise<StarChange> {
  const viewer = signedIn(ctx);
  const { id: projectId } = await findProject(ref, ctx);
  const star = { userId: viewer.id, projectId };
  const hasChanged = await transact(ctx.db, async (tx) => {
    await lockProject(tx, projectId);
    const { count } =
      by === 1
        ? await tx.projectStar.createMany({ data: [star], skipDuplicates: true })
        : await tx.projectStar.deleteMany({ where: star });
    if (count > 0) {
      // raw SQL, because a star must not change the project's `updated_at`
      await tx.$executeRaw`UPDATE projects SET star_count = star_count + ${by} WHERE id = ${projectId}`;
    }
    return count > 0;
  });
  return { projectId, hasChanged };
}
