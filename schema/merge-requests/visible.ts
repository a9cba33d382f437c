import { Prisma } from '../../prisma/client.ts';
import { groupsBelowOne } from '../groups/reach.ts';
import type { CountedSource } from '../issuables/label-counts.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { allOf, anyOf, isOpenTo } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { projectsAtLevel } from '../projects/at-level.ts';
import { ofProjectsBelow } from '../projects/of-projects-below.ts';
import { canReadMergeRequests } from './policy.ts';

/** The merge requests of one project whose code the viewer may read. */
export const mergeRequestsIn = (project: { readonly id: number }): readonly Prisma.Sql[] => [
  Prisma.sql`project_id = ${project.id}`,
];

/** The projects whose code the viewer may read: `canReadMergeRequests` in SQL. */
function readable(viewer: Viewer | null): Prisma.Sql {
  if (viewer?.isAdmin) return Prisma.sql`true`;
  const open = isOpenTo(viewer);
  return viewer
    ? // an array is computed once; the planner would estimate a subquery per project
      anyOf([open, Prisma.sql`id = ANY(ARRAY(${projectsAtLevel(viewer, Access.reporter)}))`])
    : open;
}

/** The projects whose merge requests the viewer may see. */
const projectsWithMergeRequests = (viewer: Viewer | null): Prisma.Sql =>
  allOf([Prisma.raw('NOT is_removed AND merge_requests_enabled'), readable(viewer)]);

/** The merge requests the viewer may see of all projects. */
export const visibleMergeRequests = (viewer: Viewer | null): readonly Prisma.Sql[] => [
  Prisma.sql`project_id IN (SELECT id FROM projects WHERE ${projectsWithMergeRequests(viewer)})`,
];

/** The merge requests the viewer may see of the projects at any depth below a group. */
export const visibleMergeRequestsBelow = async (
  groupId: number,
  viewer: Viewer | null,
  ctx: Pick<Context, 'db'>,
): Promise<readonly Prisma.Sql[]> => [
  await ofProjectsBelow(groupId, projectsWithMergeRequests(viewer), ctx),
];

/**
 * The merge requests the viewer may see of a project, or of all projects at any depth below a
 * group; none of a project where they are disabled or whose code the viewer may not read. `id` is
 * the source's, and may be a column.
 */
export const mergeRequestsOf = (
  { kind, level, visibility, id: sourceId }: CountedSource,
  viewer: Viewer,
  id = Prisma.sql`${sourceId}`,
): readonly Prisma.Sql[] => {
  if (kind === 'group') {
    return [
      ...visibleMergeRequests(viewer),
      Prisma.sql`project_id IN (
        SELECT id FROM projects WHERE namespace_id IN (${groupsBelowOne(id)}))`,
    ];
  }
  return canReadMergeRequests(viewer, level, { visibility, isArchived: false })
    ? [
        Prisma.sql`project_id = ${id}`,
        Prisma.sql`EXISTS (
          SELECT FROM projects WHERE projects.id = ${id} AND merge_requests_enabled)`,
      ]
    : [Prisma.sql`false`];
};
