import { Prisma } from '../../prisma/client.ts';
import { groupsBelowOne } from '../groups/reach.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { allOf, anyOf } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { isDeep, type PageArgs } from '../listing/page.ts';
import { projectsAtLevel } from '../projects/at-level.ts';
import { visibleProjects } from '../projects/find.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import { ofProjectsBelow } from '../projects/of-projects-below.ts';
import { canAdminIssues } from './policy.ts';

/** The issues visible below reporter: not confidential, or written by or assigned to the viewer. */
const visibleToAll = ({ id }: Pick<Viewer, 'id'>): readonly Prisma.Sql[] => [
  Prisma.sql`NOT is_confidential`,
  Prisma.sql`author_id = ${id}`,
  Prisma.sql`id IN (SELECT issue_id FROM issue_assignees WHERE user_id = ${id})`,
];

/** The issues of one project that the viewer, with this access level, may see. */
export const issuesIn = (
  project: { readonly id: number; readonly level: Access },
  viewer: Viewer,
): readonly Prisma.Sql[] => [
  Prisma.sql`project_id = ${project.id}`,
  ...visibleAtLevel(project.level, viewer),
];

/** The issues that the viewer may see of projects where they have this access level. */
export const visibleAtLevel = (level: Access, viewer: Viewer): readonly Prisma.Sql[] =>
  canAdminIssues(level) ? [] : [anyOf(visibleToAll(viewer))];

/** The projects whose issues the viewer may see. */
const projectsWithIssues = (viewer: Viewer): Prisma.Sql =>
  allOf([Prisma.raw('NOT is_removed AND issues_enabled'), visibleProjects(viewer)]);

/** The issues visible in those projects. */
const visibleInProjects = (viewer: Viewer): readonly Prisma.Sql[] =>
  viewer.isAdmin
    ? []
    : [
        anyOf([
          ...visibleToAll(viewer),
          // an array is computed once; the planner would estimate a subquery once per project
          Prisma.sql`project_id = ANY(ARRAY(${projectsAtLevel(viewer, Access.reporter)}))`,
        ]),
      ];

/**
 * The issues the viewer may see of all projects. For a deep page the projects are read once: for each of
 * the many rows before it, PostgreSQL would else look up its project.
 */
export const visibleIssues = (viewer: Viewer, page: PageArgs = {}): readonly Prisma.Sql[] => {
  const inProjects = Prisma.sql`project_id IN (
    SELECT id FROM projects WHERE ${projectsWithIssues(viewer)})`;
  return [
    // the planner turns a condition into a join, but not one that is compared
    isDeep(page) ? Prisma.sql`(${inProjects}) IS TRUE` : inProjects,
    ...visibleInProjects(viewer),
  ];
};

/** The issues the viewer may see of the projects at any depth below a group. */
export const visibleIssuesBelow = async (
  groupId: number,
  viewer: Viewer,
  ctx: Pick<Context, 'db'>,
): Promise<readonly Prisma.Sql[]> => [
  await ofProjectsBelow(groupId, projectsWithIssues(viewer), ctx),
  ...visibleInProjects(viewer),
];

/**
 * The issues the viewer may see of a project, or of all projects at any depth below a group; none
 * of a project whose issues are disabled. `id` is the source's, and may be a column.
 */
export const issuesOf = (
  { kind, level, id: sourceId }: Pick<GroupOrProject, 'kind' | 'level' | 'id'>,
  viewer: Viewer,
  id = Prisma.sql`${sourceId}`,
): readonly Prisma.Sql[] =>
  kind === 'group'
    ? [
        ...visibleIssues(viewer),
        Prisma.sql`project_id IN (
          SELECT id FROM projects WHERE namespace_id IN (${groupsBelowOne(id)}))`,
      ]
    : [
        Prisma.sql`project_id = ${id}`,
        ...visibleAtLevel(level, viewer),
        Prisma.sql`EXISTS (SELECT FROM projects WHERE projects.id = ${id} AND issues_enabled)`,
      ];
