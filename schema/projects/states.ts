import type { Context } from '../kernel/context.ts';
import { unauthenticated } from '../kernel/errors.ts';
import { transact } from '../kernel/storage-errors.ts';
import { findProject } from './find.ts';
import { lockProject } from './lock.ts';
import { canAdministerProject } from './policy.ts';

/** Closes a project for writing, or opens it again; owners only. Gives its id; twice is no fault. */
export async function setArchived(ref: string, isArchived: boolean, ctx: Context): Promise<number> {
  const { id } = await findProject(ref, ctx, (_viewer, level) => canAdministerProject(level));
  await transact(ctx.db, async (tx) => {
    await lockProject(tx, id);
    await tx.project.updateMany({ where: { id, isArchived: !isArchived }, data: { isArchived } });
  });
  return id;
}

/** A project the viewer starred or not, and whether this changed it. */
export interface StarChange {
  readonly projectId: number;
  readonly hasChanged: boolean;
}

/** Stars a project for the viewer, who must be able to see it; the count follows in the same commit. */
export const starProject = (ref: string, ctx: Context): Promise<StarChange> =>
  changeStar(ref, ctx, 1);

export const unstarProject = (ref: string, ctx: Context): Promise<StarChange> =>
  changeStar(ref, ctx, -1);

async function changeStar(ref: string, ctx: Context, by: 1 | -1): Promise<StarChange> {
  const { viewer, db } = ctx;
  if (!viewer) throw unauthenticated();
  const { id: projectId } = await findProject(ref, ctx);
  const star = { userId: viewer.id, projectId };
  const hasChanged = await transact(db, async (tx) => {
    await lockProject(tx, projectId);
    const { count } =
      by === 1
        ? await tx.projectStar.createMany({ data: [star], skipDuplicates: true })
        : await tx.projectStar.deleteMany({ where: star });
    if (count > 0) {
      // in SQL of its own: a star is no change of the project, whose `updated_at` stays
      await tx.$executeRaw`UPDATE projects SET star_count = star_count + ${by} WHERE id = ${projectId}`;
    }
    return count > 0;
  });
  return { projectId, hasChanged };
}
