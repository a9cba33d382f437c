import { Prisma } from '../../prisma/client.ts';
import { list, unexpiredCondition } from '../kernel/sql.ts';

/**
 * Those of the given users who may read a project, as rows of `users`: the SQL twin of
 * `isProjectVisible` for many users at once. `projectId` may be a subquery.
 */
export const readersAmong = (
  userIds: readonly number[],
  projectId: Prisma.Sql | number,
): Prisma.Sql => Prisma.sql`
  SELECT users.id, users.username
  FROM projects
  JOIN namespaces ON namespaces.id = projects.namespace_id
  JOIN users ON users.id = ANY(${list(userIds)})
  WHERE projects.id = ${projectId}
    AND (projects.visibility = 'public'
      OR (projects.visibility = 'internal' AND NOT users.is_external)
      OR users.is_admin
      OR namespaces.owner_id = users.id
      OR EXISTS (
        SELECT FROM members
        WHERE members.user_id = users.id AND ${valid('members')}
          AND (members.project_id = projects.id
            OR members.namespace_id = ANY(namespaces.ancestor_ids)
            OR EXISTS (
              SELECT FROM project_group_links links
              JOIN namespaces sharing ON sharing.id = links.namespace_id
              WHERE links.project_id = projects.id AND NOT sharing.is_removed
                AND ${valid('links')} AND members.namespace_id = ANY(sharing.ancestor_ids)))))`;

const valid = (table: string) => Prisma.raw(unexpiredCondition(table));
