import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { projectsAtLevel } from '../projects/at-level.ts';

/** The deploy keys of other projects that the viewer may enable in a project, on `keys`. */
export function sharableKeys(projectId: number, viewer: Viewer): Prisma.Sql {
  const reach = viewer.isAdmin
    ? Prisma.empty
    : Prisma.sql`AND id IN (
        SELECT key_id FROM deploy_key_projects JOIN projects ON projects.id = project_id
        WHERE NOT is_removed AND project_id IN (${projectsAtLevel(viewer, Access.master)}))`;
  return Prisma.sql`user_id IS NULL ${reach} AND NOT EXISTS (
    SELECT FROM deploy_key_projects WHERE key_id = keys.id AND project_id = ${projectId})`;
}
