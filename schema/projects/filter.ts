import type { InputShapeFromFields } from '@pothos/core';
import { Prisma, type Project } from '../../prisma/client.ts';
import { groupsBelow } from '../groups/reach.ts';
import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { internal } from '../kernel/public.ts';
import { allOf, anyOf, containsText, noRows, unexpiredCondition, whether } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { describeModel } from '../listing/described.ts';
import type { Listing, Parent } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { SortDirection } from '../listing/sort.ts';
import { Visibility } from '../settings/types.ts';
import {
  CustomAttributeFilter,
  customAttributesDescription,
  withCustomAttributes,
} from '../users/attribute-filter.ts';
import { memberProjects, visibleProjects } from './find.ts';

describeModel('Project', {
  computed: {
    avatarUrl: ['avatar'],
    webUrl: ['fullPath'],
    httpUrlToRepo: ['fullPath'],
    sshUrlToRepo: ['fullPath'],
  },
  conditions: {
    // as `validMembership`: expired memberships are excluded
    members: (row, viewerId) => `${row}.user_id = ${viewerId} AND ${unexpiredCondition(row)}`,
    groupLinks: (row) => unexpiredCondition(row),
  },
});

const ProjectOrder = builder.enumType('ProjectOrder', {
  description: 'What projects are ordered by.',
  values: {
    id: { description: 'The id, which grows with the time of creation.' },
    name: { description: 'The name, ignoring case.' },
    path: { description: 'The last part of the full path.' },
    createdAt: { description: 'The time of creation.' },
    updatedAt: { description: 'The time of the last change of the project itself.' },
    lastActivityAt: { description: 'The time of the last event.' },
  } as const,
});

const ProjectArchived = builder.enumType('ProjectArchived', {
  description: 'Whether a list has archived projects.',
  values: {
    exclude: { description: 'Only projects that are not archived.' },
    include: { description: 'Archived projects and others.' },
    only: { description: 'Only archived projects.' },
  } as const,
});

export const ProjectFilter = builder.inputType('ProjectFilter', {
  description:
    'Restricts a list of projects: all conditions must hold. Archived projects are left out by default.',
  fields: (t) => ({
    archived: t.field({
      type: ProjectArchived,
      defaultValue: 'exclude',
      description: 'Whether the list has archived projects; null: it has none.',
    }),
    visibility: t.field({
      type: Visibility,
      description: 'Only projects with this visibility.',
    }),
    search: t.string({
      description:
        'A text in the name, path, description or name of the namespace, in upper or lower case.',
    }),
    isOwned: t.boolean({
      description:
        'True: only projects that the current user owns, in person or as an owner of a group. False: only the others.',
    }),
    isMember: t.boolean({
      description:
        'True: only projects of which the current user is a member, also through a group or a share. False: only the others.',
    }),
    isStarred: t.boolean({
      description: 'True: only projects that the current user has starred. False: only the others.',
    }),
    issuesEnabled: t.boolean({
      description: 'True: only projects that have issues; false: only others.',
    }),
    mergeRequestsEnabled: t.boolean({
      description: 'True: only projects that accept merge requests; false: only others.',
    }),
    customAttributes: t.field({
      type: [CustomAttributeFilter],
      description: customAttributesDescription,
    }),
    idAfter: t.int({ extensions: internal, description: 'Only projects with a greater id.' }),
    idBefore: t.int({ extensions: internal, description: 'Only projects with a smaller id.' }),
  }),
});

/** The arguments of every listing of projects. */
export const projectListArgs = builder.args((t) => ({
  filter: t.field({
    type: ProjectFilter,
    description: 'Restricts the list; null for all that are not archived.',
  }),
  orderBy: t.field({
    type: ProjectOrder,
    defaultValue: 'createdAt' as const,
    description: 'What the projects are ordered by.',
  }),
  sort: t.field({
    type: SortDirection,
    defaultValue: 'desc' as const,
    description: 'The direction of the order.',
  }),
}));

type ListArgs = PageArgs & Partial<InputShapeFromFields<typeof projectListArgs>>;

const columns = {
  id: 'id',
  name: 'name',
  path: 'path',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  lastActivityAt: 'last_activity_at',
} as const;

/** A page of the projects, all or those of `parent`, that the viewer may see and that match the filter. */
export function listProjects(
  { filter, orderBy, sort, ...page }: ListArgs,
  ctx: Context,
  parent?: Parent,
) {
  const listing: Listing = {
    table: 'projects',
    where: allOf([Prisma.raw('NOT is_removed'), ...matching(filter ?? {}, ctx.viewer)]),
    column: columns[orderBy ?? 'createdAt'],
    ignoresCase: orderBy === 'name',
    direction: sort ?? 'desc',
    page,
    ...(parent && { parent }),
  };
  return pageOfRecords<Project>(ctx, listing);
}

/** Only the given filters become conditions; archived projects are excluded by default. */
function matching(filter: NonNullable<ListArgs['filter']>, viewer: Viewer | null): Prisma.Sql[] {
  const { visibility, search, issuesEnabled, mergeRequestsEnabled, idAfter, idBefore } = filter;
  return [
    ...(filter.archived === 'include' ? [] : [flag('is_archived', filter.archived === 'only')]),
    ...(visibility ? [Prisma.raw(`visibility = '${visibility}'`)] : []),
    ...(search ? [containsText(search, ['path', 'name', 'description', 'namespace_name'])] : []),
    ...(typeof issuesEnabled === 'boolean' ? [flag('issues_enabled', issuesEnabled)] : []),
    ...(typeof mergeRequestsEnabled === 'boolean'
      ? [flag('merge_requests_enabled', mergeRequestsEnabled)]
      : []),
    ...(viewer?.isAdmin ? withCustomAttributes('projects', filter.customAttributes) : []),
    ...(typeof idAfter === 'number' ? [Prisma.sql`id > ${idAfter}`] : []),
    ...(typeof idBefore === 'number' ? [Prisma.sql`id < ${idBefore}`] : []),
    ...within(filter, viewer),
  ];
}

const flag = (column: string, isSet: boolean) => Prisma.raw(isSet ? column : `NOT ${column}`);

/**
 * Projects that the viewer owns or is a member of are visible, so the wider visibility condition is
 * not needed.
 */
function within(
  { isOwned, isMember, isStarred }: NonNullable<ListArgs['filter']>,
  viewer: Viewer | null,
): Prisma.Sql[] {
  if (!viewer) return isOwned || isMember || isStarred ? [noRows] : [visibleProjects(null)];
  return [
    ...whether(isOwned, ownedBy(viewer)),
    ...whether(isMember, memberProjects(viewer)),
    ...(isOwned || isMember ? [] : [visibleProjects(viewer)]),
    ...whether(
      isStarred,
      Prisma.sql`id IN (SELECT project_id FROM project_stars WHERE user_id = ${viewer.id})`,
    ),
  ];
}

function ownedBy(viewer: Viewer): Prisma.Sql {
  const owned = [...viewer.groupLevels].flatMap(([id, level]) =>
    level === Access.owner ? [id] : [],
  );
  return anyOf([
    Prisma.sql`namespace_id = ${viewer.namespaceId}`,
    Prisma.sql`namespace_id IN (${groupsBelow(owned)})`,
  ]);
}
