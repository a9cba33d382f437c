import type { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Viewer } from '../kernel/context.ts';
import { notFound, unauthenticated } from '../kernel/errors.ts';
import { listingCost, pageArgs, pageType, rowsOf } from '../kernel/page.ts';
import { byIdOrPath } from '../kernel/reference.ts';
import { containing } from '../kernel/search.ts';
import { Namespace } from './types.ts';

const NamespacePage = pageType('Namespace', Namespace);

builder.queryField('namespaces', (t) =>
  t.field({
    type: NamespacePage,
    complexity: listingCost,
    args: {
      ...pageArgs,
      /** In name or path, in any case of letters. */
      search: t.arg.string(),
    },
    resolve: (_root, { search, ...page }, { db, viewer }) => {
      if (!viewer) throw unauthenticated();
      const where = { AND: [ownNamespaces(viewer), ...(search ? [called(search)] : [])] };
      return {
        nodes: (query) =>
          db.namespace.findMany({
            ...query,
            relationLoadStrategy: 'join',
            ...rowsOf(page),
            where,
            orderBy: { id: 'asc' },
          }),
        total: () => db.namespace.count({ where }),
      };
    },
  }),
);

builder.queryField('namespace', (t) =>
  t.prismaField({
    type: Namespace,
    args: { namespace: t.arg.id({ required: true }) },
    resolve: async (query, _root, { namespace: ref }, { db, viewer }) => {
      if (!viewer) throw unauthenticated();
      const namespace = await db.namespace.findFirst({
        ...query,
        relationLoadStrategy: 'join',
        where: { AND: [byIdOrPath(ref), readableNamespaces(viewer)] },
      });
      if (!namespace) throw notFound('Namespace');
      return namespace;
    },
  }),
);

/** One's own and the groups one is a direct member of; all to administrators (v4-behaviour 2.13). */
function ownNamespaces({ isAdmin, namespaceId, groupLevels }: Viewer): Prisma.NamespaceWhereInput {
  if (isAdmin) return { isRemoved: false };
  const own = namespaceId === null ? [] : [namespaceId];
  return { isRemoved: false, id: { in: [...own, ...groupLevels.keys()] } };
}

/** Those, and what lies below one's groups. */
function readableNamespaces(viewer: Viewer): Prisma.NamespaceWhereInput {
  if (viewer.isAdmin) return { isRemoved: false };
  const below = { ancestorIds: { hasSome: [...viewer.groupLevels.keys()] } };
  return { isRemoved: false, OR: [{ id: viewer.namespaceId ?? 0 }, below] };
}

function called(search: string): Prisma.NamespaceWhereInput {
  const text = containing(search);
  return { OR: [{ name: text }, { path: text }] };
}
