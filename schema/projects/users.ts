import { Prisma, type User } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { allOf, unexpiredCondition } from '../kernel/sql.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { nameOrEmailMatches, UserFilter, usersMatching } from '../users/filter.ts';
import { UserPage } from '../users/types.ts';
import { Project } from './types.ts';

builder.prismaObjectField(Project, 'users', (t) =>
  t.field({
    type: UserPage,
    description:
      'All users with an access level in the project: direct members, members of the groups above, and members of the groups that it is shared with; the oldest account first.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      filter: t.arg({
        type: UserFilter,
        description:
          'Which users the listing has. `search` finds e-mail addresses in full only, for administrators, too, and not for anonymous users.',
      }),
    },
    select: { id: true },
    resolve: ({ id }, { filter, ...page }, ctx) =>
      pageOfRecords<User>(ctx, {
        table: 'users',
        where: allOf([
          usersMatching({ ...filter, search: null }, ctx),
          ...(filter?.search ? [nameOrEmailMatches(filter.search, ctx.viewer)] : []),
        ]),
        column: 'id',
        direction: 'asc',
        page,
        parent: { id, condition: (projectId) => Prisma.sql`id IN (${usersOf(projectId)})` },
      }),
  }),
);

const unexpired = Prisma.raw(unexpiredCondition('members'));

/**
 * The ids of the users. The owner of a personal project is listed even with an expired membership.
 */
const usersOf = (projectId: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT members.user_id FROM members
  WHERE members.project_id = ${projectId} AND (${unexpired} OR members.user_id = (
    SELECT owner_id FROM namespaces JOIN projects ON projects.namespace_id = namespaces.id
    WHERE projects.id = ${projectId}))
  UNION ALL
  SELECT members.user_id FROM members
  WHERE ${unexpired} AND members.namespace_id IN (
    SELECT unnest(namespaces.ancestor_ids) FROM namespaces WHERE namespaces.id IN (
      SELECT projects.namespace_id FROM projects WHERE projects.id = ${projectId}
      UNION ALL
      SELECT links.namespace_id
      FROM project_group_links links JOIN namespaces shared ON shared.id = links.namespace_id
      WHERE links.project_id = ${projectId} AND NOT shared.is_removed
        AND ${Prisma.raw(unexpiredCondition('links'))}))`;
