import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { allOf, anyOf, isOpenTo } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { projectsAtLevel } from '../projects/at-level.ts';
import { visibleProjects } from '../projects/find.ts';

const withSnippets = Prisma.raw('NOT is_removed AND snippets_enabled');

/** `canReadSnippet` in SQL: personal snippets, and those of all projects that the viewer may see. */
export function readableSnippets(viewer: Viewer): readonly Prisma.Sql[] {
  const projects = allOf([withSnippets, visibleProjects(viewer)]);
  const isInVisibleProject = anyOf([
    Prisma.sql`project_id IS NULL`,
    // looks up the project of each row; without OFFSET the planner may read all projects first
    Prisma.sql`EXISTS (
      SELECT FROM projects WHERE projects.id = snippets.project_id AND ${projects} OFFSET 0)`,
  ]);
  if (viewer.isAdmin) return [isInVisibleProject];
  return [
    isInVisibleProject,
    anyOf([
      isOpenTo(viewer),
      Prisma.sql`author_id = ${viewer.id}`,
      // an array is computed once; the planner would estimate a subquery once per project
      Prisma.sql`project_id = ANY(ARRAY(${projectsAtLevel(viewer, Access.guest)}))`,
    ]),
  ];
}
