import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { anyOf, containsText, unexpiredCondition } from '../kernel/sql.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { userPage } from '../users/rows.ts';
import { UserPage } from '../users/types.ts';
import { Project } from './types.ts';

builder.prismaObjectField(Project, 'users', (t) =>
  t.field({
    type: UserPage,
    description:
      'All users with an access level in the project: direct members, members of the groups above, and members of the groups that it is shared with.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      search: t.arg.string({
        description: 'A part of the name or username, or a full e-mail address.',
      }),
    },
    select: { id: true },
    resolve: ({ id }, { search, ...page }, ctx) =>
      userPage(ctx, {
        table: 'users',
        where: search ? nameOrEmailMatches(search) : Prisma.sql`true`,
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

/**
 * By name or username, or by the full e-mail address: partial matches would allow guessing
 * addresses.
 */
const nameOrEmailMatches = (search: string): Prisma.Sql =>
  anyOf([
    containsText(search, ['name', 'username']),
    Prisma.sql`email_key = ${search.toLowerCase()}`,
  ]);
