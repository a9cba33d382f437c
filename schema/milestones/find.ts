import type { Context } from '../kernel/context.ts';
import { recordNotFound, unauthenticated } from '../kernel/errors.ts';
import { sourceColumns } from '../members/members.ts';
import {
  findGroupOrProject,
  type GroupOrProject,
  type GroupOrProjectRef,
} from '../projects/group-or-project.ts';
import { canAdminMilestones } from './policy.ts';

type ViewerContext = Pick<Context, 'db' | 'viewer'>;

/** The group or project whose milestones are read; signed-in users only (v4-behaviour 1.4). */
export async function findMilestoneSource(sourceRef: GroupOrProjectRef, ctx: ViewerContext) {
  const { viewer } = ctx;
  if (!viewer) throw unauthenticated();
  return { source: await findGroupOrProject(sourceRef, ctx), viewer };
}

/** The group or project whose milestones are changed; developers only. */
export const findManagedMilestoneSource = (
  sourceRef: GroupOrProjectRef,
  ctx: ViewerContext,
): Promise<GroupOrProject> =>
  findGroupOrProject(sourceRef, ctx, (_kind, level) => canAdminMilestones(level));

/** A milestone of the source itself. */
export async function findMilestone(
  source: Pick<GroupOrProject, 'kind' | 'id'>,
  id: number,
  { db }: Pick<Context, 'db'>,
) {
  const milestone = await db.milestone.findFirst({
    where: { id, ...sourceColumns(source) },
    select: { id: true, updatedAt: true },
  });
  if (!milestone) throw recordNotFound();
  return milestone;
}
