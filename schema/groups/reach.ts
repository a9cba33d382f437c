import { Prisma } from '../../prisma/client.ts';
import type { Access } from '../kernel/access.ts';
import { list, rows, unexpiredRows } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';

/**
 * What somebody reaches, as rows of ids for the `where` of a listing: lists that the viewer carries
 * along, or the queries that made them, where they are too many to carry (v4-behaviour 1.10).
 */
export const reached = {
  /** The groups they are a member of, directly or through one above. */
  groups: ({ reachableIds, groupLevels }: Viewer): Prisma.Sql =>
    reachableIds ? rows(reachableIds) : groupsBelow([...groupLevels.keys()]),

  /** The projects they are a direct member of, and those shared with their groups. */
  projects: (viewer: Viewer): Prisma.Sql =>
    viewer.projectIds ? rows(viewer.projectIds) : projectsOf(viewer),

  /** The groups they know of: these, what lies above them, and where those projects are. */
  known: (viewer: Viewer): Prisma.Sql =>
    viewer.knownGroupIds
      ? rows(viewer.knownGroupIds)
      : Prisma.sql`${rows(viewer.groupPathIds)} UNION ALL ${reached.groups(viewer)}
          UNION ALL ${homesOf(reached.projects(viewer))}`,
};

/** These groups and everything below them. */
export const groupsBelow = (ids: readonly number[]): Prisma.Sql =>
  Prisma.sql`SELECT id FROM namespaces WHERE ancestor_ids && ${list(ids)} AND NOT is_removed`;

/** The groups in which somebody holds `least` or more, through one above as well. */
export function groupsAtLevel(viewer: Viewer, least: Access): Prisma.Sql {
  const { groupLevels, reachableIds } = viewer;
  const held = [...groupLevels].flatMap(([id, level]) => (level >= least ? [id] : []));
  if (held.length === groupLevels.size) return reached.groups(viewer);
  if (!reachableIds) return groupsBelow(held);
  // of those that are reached anyway, and most of which are held directly
  return Prisma.sql`
    SELECT id FROM (
      SELECT id, ancestor_ids FROM namespaces WHERE id = ANY(${list(reachableIds)}) OFFSET 0
    ) reached WHERE id IN (${rows(held)}) OR ancestor_ids && ${list(held)}`;
}

/** The groups that projects lie in. */
export const homesOf = (projects: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`SELECT namespace_id FROM projects WHERE id IN (${projects}) AND NOT is_removed`;

const projectsOf = (viewer: Viewer): Prisma.Sql => Prisma.sql`
  SELECT project_id FROM members
  WHERE user_id = ${viewer.id} AND project_id IS NOT NULL AND ${unexpiredRows}
  UNION ALL
  SELECT project_id FROM project_group_links
  WHERE namespace_id IN (${reached.groups(viewer)}) AND ${unexpiredRows}`;
