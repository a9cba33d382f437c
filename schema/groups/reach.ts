import { Prisma } from '../../prisma/client.ts';
import type { Access } from '../kernel/access.ts';
import { list, rows, unexpiredRows } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';

/**
 * The groups and projects that a user can reach, as rows of ids for the `where` of a listing: the
 * viewer's cached lists, or the queries behind them if the lists are too long to cache
 * (v4-behaviour 1.10).
 */
export const reached = {
  /** The groups that the user is a member of, directly or by inheritance. */
  groups: ({ reachableIds, groupLevels }: Viewer): Prisma.Sql =>
    reachableIds ? rows(reachableIds) : groupsBelow([...groupLevels.keys()]),

  /** The projects that the user is a direct member of, and those shared with the user's groups. */
  projects: (viewer: Viewer): Prisma.Sql =>
    viewer.projectIds ? rows(viewer.projectIds) : projectsOf(viewer),

  /**
   * The groups visible to the user: these groups, their ancestors, and the groups of those
   * projects.
   */
  visibleGroups: (viewer: Viewer): Prisma.Sql =>
    viewer.knownGroupIds
      ? rows(viewer.knownGroupIds)
      : Prisma.sql`${rows(viewer.groupPathIds)} UNION ALL ${reached.groups(viewer)}
          UNION ALL ${groupsOfProjects(reached.projects(viewer))}`,
};

/** These groups and all their descendants. */
export const groupsBelow = (ids: readonly number[]): Prisma.Sql =>
  Prisma.sql`SELECT id FROM namespaces WHERE ancestor_ids && ${list(ids)} AND NOT is_removed`;

/** The group with this id, which may be a column, and those at any depth below it. */
export const groupsBelowOne = (id: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`SELECT id FROM namespaces WHERE ancestor_ids && ARRAY[${id}]::int[] AND NOT is_removed`;

/** The groups in which the user has at least the level `least`, directly or by inheritance. */
export function groupsAtLevel(viewer: Viewer, least: Access): Prisma.Sql {
  const { groupLevels, reachableIds } = viewer;
  const directGroupIds = [...groupLevels].flatMap(([id, level]) => (level >= least ? [id] : []));
  if (directGroupIds.length === groupLevels.size) return reached.groups(viewer);
  if (!reachableIds) return groupsBelow(directGroupIds);
  // a subset of the reachable groups, in most of which the membership is direct
  return Prisma.sql`
    SELECT id FROM (
      SELECT id, ancestor_ids FROM namespaces WHERE id = ANY(${list(reachableIds)}) OFFSET 0
    ) reached WHERE id IN (${rows(directGroupIds)}) OR ancestor_ids && ${list(directGroupIds)}`;
}

/** The groups that contain these projects. */
export const groupsOfProjects = (projects: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`SELECT namespace_id FROM projects WHERE id IN (${projects}) AND NOT is_removed`;

const projectsOf = (viewer: Viewer): Prisma.Sql => Prisma.sql`
  SELECT project_id FROM members
  WHERE user_id = ${viewer.id} AND project_id IS NOT NULL AND ${unexpiredRows}
  UNION ALL
  SELECT project_id FROM project_group_links
  WHERE namespace_id IN (${reached.groups(viewer)}) AND ${unexpiredRows}`;
