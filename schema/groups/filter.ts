import type { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Context, Viewer } from '../kernel/context.ts';
import { type PageArgs, rowsOf } from '../kernel/page.ts';
import { containing } from '../kernel/search.ts';
import { groupsOf, visibleGroups } from './find.ts';

const GroupOrder = builder.enumType('GroupOrder', { values: ['name', 'path', 'id'] as const });

const GroupFilter = builder.inputType('GroupFilter', {
  fields: (t) => ({
    /** In name or path, in any case of letters. */
    search: t.string(),
    skipIds: t.intList(),
    /** Only those the viewer is an owner of, as a direct member. */
    isOwned: t.boolean(),
    /** True: everything the viewer may see; false: only what they are a member of. */
    isAllAvailable: t.boolean(),
  }),
});

/** What every listing of groups takes. */
export const groupListArgs = builder.args((t) => ({
  filter: t.field({ type: GroupFilter }),
  orderBy: t.field({ type: GroupOrder, defaultValue: 'name' as const }),
  isDescending: t.boolean({ defaultValue: false }),
}));

interface ListArgs extends PageArgs {
  readonly filter?: Partial<typeof GroupFilter.$inferInput> | null | undefined;
  readonly orderBy?: typeof GroupOrder.$inferInput | null | undefined;
  readonly isDescending?: boolean | null | undefined;
}

/** A page of the groups within `scope` that the viewer may see and the filter keeps. */
export function listGroups(
  { filter, orderBy, isDescending, ...page }: ListArgs,
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
  scope: Prisma.NamespaceWhereInput = {},
) {
  const where = { AND: [scope, ...matching(filter ?? {}, viewer)] };
  const direction = isDescending ? 'desc' : 'asc';
  const column = orderBy ?? 'name';
  return {
    nodes: (query: object) =>
      db.namespace.findMany({
        ...query,
        relationLoadStrategy: 'join',
        ...rowsOf(page),
        where,
        // the id settles ties, so that no row is on two pages
        orderBy: column === 'id' ? { id: direction } : [{ [column]: direction }, { id: direction }],
      }),
    total: () => db.namespace.count({ where }),
  };
}

/** A statement has room for so many values; what is beyond them is not skipped. */
const mostSkipped = 10_000;

function matching(
  { search, skipIds, isOwned, isAllAvailable }: NonNullable<ListArgs['filter']>,
  viewer: Viewer | null,
): Prisma.NamespaceWhereInput[] {
  const text = search ? containing(search) : null;
  const isNarrowed = viewer !== null && !viewer.isAdmin && isAllAvailable === false;
  return [
    // what one is a member of is seen, and need not be looked for among all that is
    isNarrowed ? { ...existing, OR: groupsOf(viewer) } : visibleGroups(viewer),
    ...(text ? [{ OR: [{ name: text }, { path: text }] }] : []),
    ...(skipIds && skipIds.length > 0 ? [{ id: { notIn: skipIds.slice(0, mostSkipped) } }] : []),
    ...(isOwned ? [{ id: { in: idsOwned(viewer) } }] : []),
  ];
}

const existing = { kind: 'group', isRemoved: false } as const;

const idsOwned = (viewer: Viewer | null): number[] =>
  [...(viewer?.groupLevels ?? [])].flatMap(([id, level]) => (level === Access.owner ? [id] : []));
