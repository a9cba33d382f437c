import type { InputShapeFromFields } from '@pothos/core';
import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf, containsText, list } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Listing, Parent } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { SortDirection } from '../listing/sort.ts';
import { namespacePage } from '../namespaces/rows.ts';
import { CustomAttributeFilter, withCustomAttributes } from '../users/attribute-filter.ts';
import { groupsOf, visibleGroups } from './find.ts';

const GroupOrder = builder.enumType('GroupOrder', { values: ['name', 'path', 'id'] as const });

const GroupFilter = builder.inputType('GroupFilter', {
  fields: (t) => ({
    /** In name or path, ignoring case. */
    search: t.string(),
    skipIds: t.intList(),
    /** Only groups that the viewer owns as a direct member. */
    isOwned: t.boolean(),
    /** True: all groups the viewer may see; false: only those the viewer is a member of. */
    isAllAvailable: t.boolean(),
    /** All must match; ignored unless the caller is an administrator. */
    customAttributes: t.field({ type: [CustomAttributeFilter] }),
  }),
});

/** The arguments of every listing of groups. */
export const groupListArgs = builder.args((t) => ({
  filter: t.field({ type: GroupFilter }),
  orderBy: t.field({ type: GroupOrder, defaultValue: 'name' as const }),
  sort: t.field({ type: SortDirection, defaultValue: 'asc' as const }),
}));

type ListArgs = PageArgs & Partial<InputShapeFromFields<typeof groupListArgs>>;

/** A page of the groups, all or those of `parent`, that the viewer may see and that match the filter. */
export function listGroups(
  { filter, orderBy, sort, ...page }: ListArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
  parent?: Parent,
) {
  const listing: Listing = {
    table: 'namespaces',
    where: allOf(matching(filter ?? {}, ctx.viewer)),
    column: orderBy ?? 'name',
    ignoresCase: (orderBy ?? 'name') === 'name',
    direction: sort ?? 'asc',
    page,
    ...(parent && { parent }),
  };
  return namespacePage(ctx, listing);
}

function matching(
  { search, skipIds, isOwned, isAllAvailable, customAttributes }: NonNullable<ListArgs['filter']>,
  viewer: Viewer | null,
): Prisma.Sql[] {
  const isNarrowed = viewer !== null && !viewer.isAdmin && isAllAvailable === false;
  return [
    // a member's groups are visible, so the wider visibility condition is not needed
    isNarrowed ? groupsOf(viewer) : visibleGroups(viewer),
    ...(search ? [containsText(search, ['name', 'path'])] : []),
    ...(skipIds && skipIds.length > 0 ? [Prisma.sql`id <> ALL(${list(skipIds)})`] : []),
    ...(viewer?.isAdmin ? withCustomAttributes('groups', customAttributes) : []),
    ...(isOwned ? [Prisma.sql`id = ANY(${list(idsOwned(viewer))})`] : []),
  ];
}

const idsOwned = (viewer: Viewer | null): number[] =>
  [...(viewer?.groupLevels ?? [])].flatMap(([id, level]) => (level === Access.owner ? [id] : []));
