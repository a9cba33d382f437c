import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { notFound, unauthenticated } from '../kernel/errors.ts';
import { byIdOrPath } from '../kernel/reference.ts';
import { allOf, containsText, list } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { groupLevel } from '../kernel/viewer.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { namespacePage } from './rows.ts';
import { Namespace } from './types.ts';

const NamespacePage = pageType('Namespace', Namespace);

builder.queryFields((t) => ({
  namespaces: t.field({
    type: NamespacePage,
    description:
      'The personal namespace of the current user and the groups with the current user as a direct member, by id; all for administrators. Signed-in users.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      search: t.arg.string({
        description: 'A text in the name or path, in upper or lower case; null for all.',
      }),
    },
    resolve: (_root, { search, ...page }, ctx) => {
      const { viewer } = ctx;
      if (!viewer) throw unauthenticated();
      return namespacePage(ctx, {
        table: 'namespaces',
        where: allOf([
          ...ownNamespaces(viewer),
          ...(search ? [containsText(search, ['name', 'path'])] : []),
        ]),
        column: 'id',
        direction: 'asc',
        page,
      });
    },
  }),
  namespace: t.prismaField({
    type: Namespace,
    description:
      'The personal namespace of the current user, or a group of which the current user is a member, also through an ancestor; any for administrators.',
    args: {
      namespace: t.arg.id({ required: true, description: 'The id or full path of the namespace.' }),
    },
    resolve: async (query, _root, { namespace: ref }, { db, viewer }) => {
      if (!viewer) throw unauthenticated();
      const namespace = await db.namespace.findFirst({
        ...query,
        relationLoadStrategy: 'join',
        where: { ...byIdOrPath(ref), isRemoved: false },
      });
      if (!namespace || !isReadable(viewer, namespace)) throw notFound('Namespace');
      return namespace;
    },
  }),
}));

/**
 * The viewer's personal namespace and the groups with a direct membership; all for administrators
 * (v4-behaviour 2.13).
 */
function ownNamespaces({ isAdmin, namespaceId, groupLevels }: Viewer): Prisma.Sql[] {
  const notRemoved = Prisma.raw('NOT is_removed');
  if (isAdmin) return [notRemoved];
  const own = namespaceId === null ? [] : [namespaceId];
  return [notRemoved, Prisma.sql`id = ANY(${list([...own, ...groupLevels.keys()])})`];
}

/** These, and the descendants of the viewer's groups. */
const isReadable = (
  viewer: Viewer,
  { id, ancestorIds }: { readonly id: number; readonly ancestorIds: readonly number[] },
): boolean =>
  viewer.isAdmin || id === viewer.namespaceId || groupLevel(viewer, ancestorIds) > Access.none;
