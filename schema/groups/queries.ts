import type { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Viewer } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { listingCost, pageArgs, rowsOf } from '../kernel/page.ts';
import { byIdOrPath } from '../kernel/reference.ts';
import { containing } from '../kernel/search.ts';
import { visibleGroups } from './find.ts';
import { Group, GroupPage } from './types.ts';

builder.queryField('group', (t) =>
  t.prismaField({
    type: Group,
    args: { group: t.arg.id({ required: true }) },
    resolve: async (query, _root, { group: ref }, { db, viewer }) => {
      const group = await db.namespace.findFirst({
        ...query,
        relationLoadStrategy: 'join',
        where: { AND: [byIdOrPath(ref), visibleGroups(viewer)] },
      });
      if (!group) throw notFound('Group');
      return group;
    },
  }),
);

const GroupOrder = builder.enumType('GroupOrder', { values: ['name', 'path', 'id'] as const });

const GroupFilter = builder.inputType('GroupFilter', {
  fields: (t) => ({
    /** In name or path, in any case of letters. */
    search: t.string(),
    skipIds: t.intList(),
    isOwned: t.boolean(),
    /** True: everything the viewer may see; false: only what they are a member of. */
    isAllAvailable: t.boolean(),
  }),
});

builder.queryField('groups', (t) =>
  t.field({
    type: GroupPage,
    complexity: listingCost,
    args: {
      ...pageArgs,
      filter: t.arg({ type: GroupFilter }),
      orderBy: t.arg({ type: GroupOrder, defaultValue: 'name' }),
      isDescending: t.arg.boolean({ defaultValue: false }),
    },
    resolve: (_root, { filter, orderBy, isDescending, ...page }, { db, viewer }) => {
      const where = { AND: [visibleGroups(viewer), ...matching(filter ?? {}, viewer)] };
      const direction = isDescending ? 'desc' : 'asc';
      const column = orderBy ?? 'name';
      return {
        nodes: (query) =>
          db.namespace.findMany({
            ...query,
            relationLoadStrategy: 'join',
            ...rowsOf(page),
            where,
            orderBy:
              column === 'id' ? { id: direction } : [{ [column]: direction }, { id: direction }],
          }),
        total: () => db.namespace.count({ where }),
      };
    },
  }),
);

/** A statement has room for so many values; what is beyond them is not skipped. */
const mostSkipped = 10_000;

type Filter = Partial<typeof GroupFilter.$inferInput>;

function matching(filter: Filter, viewer: Viewer | null): Prisma.NamespaceWhereInput[] {
  const { search, skipIds, isOwned, isAllAvailable } = filter;
  const text = search ? containing(search) : null;
  const isNarrowed = viewer !== null && !viewer.isAdmin && isAllAvailable === false;
  return [
    ...(text ? [{ OR: [{ name: text }, { path: text }] }] : []),
    ...(skipIds && skipIds.length > 0 ? [{ id: { notIn: skipIds.slice(0, mostSkipped) } }] : []),
    ...(isOwned ? [{ id: { in: idsHeld(viewer, Access.owner) } }] : []),
    ...(isNarrowed ? [{ ancestorIds: { hasSome: idsHeld(viewer, Access.guest) } }] : []),
  ];
}

const idsHeld = (viewer: Viewer | null, least: Access): number[] =>
  [...(viewer?.groupLevels ?? [])].flatMap(([id, level]) => (level >= least ? [id] : []));
