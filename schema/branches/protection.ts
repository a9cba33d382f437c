import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { findProject } from '../projects/find.ts';
import type { BranchRule } from '../repository/push-rules.ts';
import { canProtectBranches } from './policy.ts';

/** The rules on a project's branches. */
export const rulesOf = (
  projectId: number,
  { db }: Pick<Context, 'db'>,
): Promise<readonly BranchRule[]> =>
  db.protectedBranch.findMany({
    where: { projectId },
    select: { name: true, pushAccessLevel: true, mergeAccessLevel: true },
  });

/** The project `ref`, if the viewer may protect its branches. */
export const findProtectableProject = (ref: string, ctx: Context) =>
  findProject(ref, ctx, (_viewer, level) => canProtectBranches(level));

/** A rule by its name, if the viewer may see it; throws if it does not exist. */
export async function findProtectedBranch(ref: string, name: string, ctx: Context) {
  const { id: projectId } = await findProtectableProject(ref, ctx);
  return orThrow(
    ctx.db.protectedBranch.findUnique({
      where: { projectId_name: { projectId, name } },
    }),
    recordNotFound,
  );
}
