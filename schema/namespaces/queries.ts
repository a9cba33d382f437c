import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { notFound, unauthenticated } from '../kernel/errors.ts';
import { byIdOrPath } from '../kernel/reference.ts';
import { allOf, containsText, list } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { pageOfRecords } from '../listing/records.ts';
import { canReadNamespace } from './policy.ts';
import { Namespace } from './types.ts';

const NamespacePage = pageType('Namespace', Namespace);

const NamespaceFilter = builder.inputType('NamespaceFilter', {
  description: 'Which namespaces a listing has.',
  fields: (t) => ({
    search: t.string({
      description: 'Only namespaces whose name or path contains this text, in any case.',
    }),
  }),
});

builder.queryFields((t) => ({
  namespaces: t.field({
    type: NamespacePage,
    description:
      'The personal namespace of the current user and the groups with the current user as a direct member, by id; all for administrators. An anonymous user gets UNAUTHENTICATED.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      filter: t.arg({ type: NamespaceFilter, description: 'Which namespaces the listing has.' }),
    },
    resolve: (_root, { filter, ...page }, ctx) => {
      const { viewer } = ctx;
      if (!viewer) throw unauthenticated();
      return pageOfRecords<Prisma.NamespaceGetPayload<object>>(ctx, {
        table: 'namespaces',
        where: allOf([
          ...ownNamespaces(viewer),
          ...(filter?.search ? [containsText(filter.search, ['name', 'path'])] : []),
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
      namespace: t.arg.id({ required: true, description: 'The namespace.' }),
    },
    resolve: async (query, _root, { namespace: ref }, { db, viewer }) => {
      if (!viewer) throw unauthenticated();
      const namespace = await db.namespace.findFirst({
        ...query,
        relationLoadStrategy: 'join',
        where: { ...byIdOrPath(ref), isRemoved: false },
      });
      if (!namespace || !canReadNamespace(viewer, namespace)) throw notFound('Namespace');
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
