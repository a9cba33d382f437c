import type { InputShapeFromFields } from '@pothos/core';
import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf, containsText, list, noRows, whether } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { describeModel } from '../listing/described.ts';
import type { Listing, Parent } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { SortDirection } from '../listing/sort.ts';
import {
  CustomAttributeFilter,
  customAttributesDescription,
  withCustomAttributes,
} from '../users/attribute-filter.ts';
import { groupsOf, visibleGroups } from './find.ts';
import { levelForProjects } from './policy.ts';
import { groupsAtLevel } from './reach.ts';

describeModel('Namespace', {
  computed: { avatarUrl: ['avatar'], webUrl: ['fullPath', 'kind'] },
});

const GroupOrder = builder.enumType('GroupOrder', {
  description: 'What groups are ordered by.',
  values: {
    name: { description: 'The name, ignoring case.' },
    path: { description: 'The last part of the full path.' },
    id: { description: 'The id, which grows with the time of creation.' },
  } as const,
});

const GroupFilter = builder.inputType('GroupFilter', {
  description: 'Restricts a list of groups: all conditions must hold.',
  fields: (t) => ({
    search: t.string({ description: 'A text in the name or path, in upper or lower case.' }),
    skipIds: t.intList({ description: 'The groups that are left out.' }),
    isOwned: t.boolean({
      description:
        'True: only groups that the current user owns as a direct member. False: only the others.',
    }),
    isMember: t.boolean({
      description:
        'True: only groups of which the current user is a member, also through a group above. False: only the others.',
    }),
    canCreateProjects: t.boolean({
      description:
        'True: only groups in which the current user may create projects. False: only the others.',
    }),
    canAdminister: t.boolean({
      description:
        'True: only groups that the current user may change, and create subgroups in. False: only the others.',
    }),
    customAttributes: t.field({
      type: [CustomAttributeFilter],
      description: customAttributesDescription,
    }),
  }),
});

/** The arguments of every listing of groups. */
export const groupListArgs = builder.args((t) => ({
  filter: t.field({ type: GroupFilter, description: 'Restricts the list; null for all.' }),
  orderBy: t.field({
    type: GroupOrder,
    defaultValue: 'name' as const,
    description: 'What the groups are ordered by.',
  }),
  sort: t.field({
    type: SortDirection,
    defaultValue: 'asc' as const,
    description: 'The direction of the order.',
  }),
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
  return pageOfRecords<Prisma.NamespaceGetPayload<object>>(ctx, listing);
}

function matching(filter: NonNullable<ListArgs['filter']>, viewer: Viewer | null): Prisma.Sql[] {
  const { search, skipIds, isOwned, isMember, customAttributes } = filter;
  const { canCreateProjects, canAdminister } = filter;
  return [
    // a member's groups are visible, so the wider visibility condition is not needed
    ...(isMember ? [] : [visibleGroups(viewer)]),
    ...whether(isMember, viewer ? groupsOf(viewer) : noRows),
    ...(search ? [containsText(search, ['name', 'path'])] : []),
    ...(skipIds && skipIds.length > 0 ? [Prisma.sql`id <> ALL(${list(skipIds)})`] : []),
    ...(viewer?.isAdmin ? withCustomAttributes('groups', customAttributes) : []),
    ...whether(isOwned, Prisma.sql`id = ANY(${list(idsOwned(viewer))})`),
    ...whether(canCreateProjects, atLevel(viewer, levelForProjects)),
    ...whether(canAdminister, atLevel(viewer, Access.owner)),
  ];
}

/** The groups in which the viewer has this level, as `levelInGroup` decides for one. */
function atLevel(viewer: Viewer | null, least: Access): Prisma.Sql {
  if (!viewer) return noRows;
  if (viewer.isAdmin) return Prisma.sql`true`;
  return Prisma.sql`id IN (${groupsAtLevel(viewer, least)})`;
}

const idsOwned = (viewer: Viewer | null): number[] =>
  [...(viewer?.groupLevels ?? [])].flatMap(([id, level]) => (level === Access.owner ? [id] : []));
