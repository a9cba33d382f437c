import { Prisma } from '../../prisma/client.ts';
import { visibleGroups } from '../groups/find.ts';
import { allOf, anyOf } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { visibleProjects } from '../projects/find.ts';

/** The milestones of all projects and groups that the viewer may see. */
export function visibleMilestones(viewer: Viewer): Prisma.Sql {
  const projects = allOf([Prisma.sql`NOT is_removed`, visibleProjects(viewer)]);
  return anyOf([
    Prisma.sql`project_id IN (SELECT id FROM projects WHERE ${projects})`,
    Prisma.sql`namespace_id IN (SELECT id FROM namespaces WHERE ${visibleGroups(viewer)})`,
  ]);
}
