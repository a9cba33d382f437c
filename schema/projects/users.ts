import { builder } from '../kernel/builder.ts';
import { containsInsensitive } from '../kernel/search.ts';
import { listingCost, offsetPage, pageArgs, rowsOf } from '../listing/page.ts';
import { idsOf, inOrder } from '../listing/reader.ts';
import { unexpired } from '../members/valid.ts';
import { UserPage } from '../users/types.ts';
import { levelSelection } from './find.ts';
import { Project } from './types.ts';

/**
 * All users with a level in the project: direct members, members of the groups above, and members
 * of the groups it is shared with.
 */
builder.prismaObjectField(Project, 'users', (t) =>
  t.field({
    type: UserPage,
    complexity: listingCost,
    args: { ...pageArgs, search: t.arg.string() },
    select: (_args, { viewer }) => ({ id: true, ...levelSelection(viewer) }),
    resolve: ({ id, namespace, groupLinks }, { search, ...page }, { db }) => {
      const shares = groupLinks.filter((link) => !link.namespace.isRemoved);
      const above = shares.flatMap((link) => link.namespace.ancestorIds);
      const sources = [
        { projectId: id },
        { namespaceId: { in: [...namespace.ancestorIds, ...above] } },
      ];
      const membership = { AND: [{ OR: sources }, unexpired()] };
      const { ownerId } = namespace;
      // the owner of a personal project is listed even without a membership
      const own = ownerId === null ? [] : [{ projectId: id, userId: ownerId }];
      const where = {
        memberships: { some: { OR: [membership, ...own] } },
        ...(search && { OR: nameOrEmailMatches(search) }),
      };
      return offsetPage(
        {
          nodes: async (query) =>
            inOrder(
              idsOf(
                await db.user.findMany({
                  select: { id: true },
                  ...rowsOf(page),
                  where,
                  orderBy: { id: 'asc' },
                }),
              ),
              (ids) => db.user.findMany({ ...query, where: ids }),
            ),
          total: () => db.user.count({ where }),
        },
        page,
      );
    },
  }),
);

/**
 * By name or username, or by the full e-mail address: partial matches would allow guessing
 * addresses.
 */
function nameOrEmailMatches(search: string) {
  const text = containsInsensitive(search);
  return [{ name: text }, { username: text }, { emailKey: search.toLowerCase() }];
}
