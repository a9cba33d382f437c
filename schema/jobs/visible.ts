import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { allOf, anyOf } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isAtLevel } from '../projects/at-level.ts';
import { visibleProjects } from '../projects/find.ts';

/** The projects whose jobs the viewer may see, by the rule of `canSeePipelines`. */
function projectsWithSeenJobs(viewer: Viewer): Prisma.Sql {
  const seen = anyOf([Prisma.sql`public_jobs`, isAtLevel(viewer, Access.reporter)]);
  return allOf([
    Prisma.sql`NOT is_removed`,
    visibleProjects(viewer),
    ...(viewer.isAdmin ? [] : [seen]),
  ]);
}

/** The condition that a job is in one of these projects. */
export const inProjectsWithSeenJobs = (viewer: Viewer): Prisma.Sql =>
  Prisma.sql`project_id IN (SELECT id FROM projects WHERE ${projectsWithSeenJobs(viewer)})`;
