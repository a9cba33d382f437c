import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { sourceColumns } from '../members/members.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';

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
