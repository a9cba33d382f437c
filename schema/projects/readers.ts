import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { allOf, anyOf, list, unexpiredCondition } from '../kernel/sql.ts';

const valid = (table: string) => Prisma.raw(unexpiredCondition(table));

/** Whether a user sees a project without being a member: a condition on `projects` and `users`. */
export const isOpenToUser = Prisma.raw(`(projects.visibility = 'public'
  OR (projects.visibility = 'internal' AND NOT users.is_external))`);

/**
 * Whether a user has at least this level in a project: a condition on `projects`, its `namespaces` and
 * `users`. Owners of the namespace and administrators have every level.
 */
export const isMemberOfProject = (least: Access): Prisma.Sql => Prisma.sql`(users.is_admin
  OR namespaces.owner_id = users.id
  OR EXISTS (
    SELECT FROM members
    WHERE members.user_id = users.id AND members.access_level >= ${least} AND ${valid('members')}
      AND (members.project_id = projects.id
        OR members.namespace_id = ANY(namespaces.ancestor_ids)
        OR EXISTS (
          SELECT FROM project_group_links links
          JOIN namespaces sharing ON sharing.id = links.namespace_id
          WHERE links.project_id = projects.id AND NOT sharing.is_removed
            AND links.access_level >= ${least}
            AND ${valid('links')} AND members.namespace_id = ANY(sharing.ancestor_ids)))))`;

/**
 * The users who meet conditions on `users`, `projects` and its `namespaces`, with the id of the
 * project. `projectId` may be a subquery.
 */
export const usersOfProject = (
  projectId: Prisma.Sql | number,
  conditions: readonly Prisma.Sql[],
): Prisma.Sql => Prisma.sql`
  SELECT users.id, users.username, users.username_key, projects.id AS project_id
  FROM projects
  JOIN namespaces ON namespaces.id = projects.namespace_id
  JOIN users ON true
  WHERE projects.id = ${projectId} AND ${allOf(conditions)}`;

/**
 * Those of the given users who may read a project, as rows of `users`: the SQL twin of
 * `isProjectVisible` for many users at once. `projectId` may be a subquery.
 */
export const readersAmong = (
  userIds: readonly number[],
  projectId: Prisma.Sql | number,
): Prisma.Sql =>
  usersOfProject(projectId, [
    Prisma.sql`users.id = ANY(${list(userIds)})`,
    anyOf([isOpenToUser, isMemberOfProject(Access.guest)]),
  ]);
