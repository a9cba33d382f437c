import { Prisma } from '../../prisma/client.ts';
import { groupsAtLevel } from '../groups/reach.ts';
import type { Access } from '../kernel/access.ts';
import { anyOf, unexpiredRows } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';

/**
 * The ids of the projects in which the viewer has at least the level `least`, possibly repeated: as
 * the owner, through a group, directly, or by a share, which never gives more than the viewer's
 * level in the group (v4-behaviour 1.10).
 */
export function projectsAtLevel(viewer: Viewer, least: Access): Prisma.Sql {
  const groups = groupsAtLevel(viewer, least);
  return Prisma.sql`
    SELECT id FROM projects WHERE namespace_id = ${viewer.namespaceId}
    UNION ALL SELECT id FROM projects WHERE namespace_id IN (${groups})
    UNION ALL ${ownAndShared(viewer, least, groups)}`;
}

/** The same as a condition on project rows already selected. */
export function isAtLevel(viewer: Viewer, least: Access): Prisma.Sql {
  const groups = groupsAtLevel(viewer, least);
  return anyOf([
    Prisma.sql`namespace_id = ${viewer.namespaceId}`,
    Prisma.sql`namespace_id IN (${groups})`,
    Prisma.sql`id IN (${ownAndShared(viewer, least, groups)})`,
  ]);
}

const ownAndShared = (viewer: Viewer, least: Access, groups: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT project_id FROM members
  WHERE user_id = ${viewer.id} AND project_id IS NOT NULL AND access_level >= ${least}
    AND ${unexpiredRows}
  UNION ALL SELECT project_id FROM project_group_links
  WHERE access_level >= ${least} AND namespace_id IN (${groups}) AND ${unexpiredRows}`;
