import type { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Context, Viewer } from '../kernel/context.ts';
import { type PageArgs, rowsOf } from '../kernel/page.ts';
import { containing } from '../kernel/search.ts';
import { Visibility } from '../settings/types.ts';
import { memberOf, visibleProjects } from './find.ts';
import { readProjects } from './rows.ts';

const ProjectOrder = builder.enumType('ProjectOrder', {
  values: ['id', 'name', 'path', 'createdAt', 'updatedAt', 'lastActivityAt'] as const,
});

export const SortDirection = builder.enumType('SortDirection', {
  values: ['asc', 'desc'] as const,
});

export const ProjectFilter = builder.inputType('ProjectFilter', {
  fields: (t) => ({
    /** True: only archived ones; otherwise only those that are not. */
    isArchived: t.boolean(),
    /** Archived or not. */
    includesArchived: t.boolean(),
    visibility: t.field({ type: Visibility }),
    /** In name, path, description or the namespace's name, in any case of letters. */
    search: t.string(),
    isOwned: t.boolean(),
    isMember: t.boolean(),
    isStarred: t.boolean(),
    areIssuesEnabled: t.boolean(),
    areMergeRequestsEnabled: t.boolean(),
  }),
});

/** What every listing of projects takes. */
export const projectListArgs = builder.args((t) => ({
  filter: t.field({ type: ProjectFilter }),
  orderBy: t.field({ type: ProjectOrder, defaultValue: 'createdAt' as const }),
  sort: t.field({ type: SortDirection, defaultValue: 'desc' as const }),
}));

interface ListArgs extends PageArgs {
  readonly filter?: Partial<typeof ProjectFilter.$inferInput> | null | undefined;
  readonly orderBy?: typeof ProjectOrder.$inferInput | null | undefined;
  readonly sort?: 'asc' | 'desc' | null | undefined;
}

/** A page of the projects within `scope` that the viewer may see and the filter keeps. */
export function listProjects(
  { filter, orderBy, sort, ...asked }: ListArgs,
  { db, viewer }: Context,
  scope: Prisma.ProjectWhereInput = {},
) {
  const where = { AND: [scope, visibleProjects(viewer), ...matching(filter ?? {}, viewer)] };
  const direction = sort ?? 'desc';
  const column = orderBy ?? 'createdAt';
  return {
    nodes: async (query: object) => {
      const page = await db.project.findMany({
        select: { id: true },
        ...rowsOf(asked),
        where,
        // the id settles ties, so that no row is on two pages
        orderBy: column === 'id' ? { id: direction } : [{ [column]: direction }, { id: direction }],
      });
      return readProjects(
        page.map(({ id }) => id),
        query,
        { db, viewer },
      );
    },
    total: () => db.project.count({ where }),
  };
}

/** What is in no filter is not asked of the database; archived projects are left out unless asked for. */
function matching(
  filter: NonNullable<ListArgs['filter']>,
  viewer: Viewer | null,
): Prisma.ProjectWhereInput[] {
  const { isArchived, visibility, search, areIssuesEnabled, areMergeRequestsEnabled } = filter;
  return [
    ...(filter.includesArchived ? [] : [{ isArchived: isArchived ?? false }]),
    ...(visibility ? [{ visibility }] : []),
    ...(search ? [speakingOf(search)] : []),
    ...(typeof areIssuesEnabled === 'boolean' ? [{ areIssuesEnabled }] : []),
    ...(typeof areMergeRequestsEnabled === 'boolean' ? [{ areMergeRequestsEnabled }] : []),
    ...(filter.isOwned ? [viewer ? ownedBy(viewer) : nothing] : []),
    ...(filter.isMember ? [viewer ? { OR: memberOf(viewer) } : nothing] : []),
    ...(filter.isStarred ? [viewer ? { stars: { some: { userId: viewer.id } } } : nothing] : []),
  ];
}

const nothing: Prisma.ProjectWhereInput = { id: { in: [] } };

function speakingOf(search: string): Prisma.ProjectWhereInput {
  const text = containing(search);
  return {
    OR: [{ path: text }, { name: text }, { description: text }, { namespaceName: text }],
  };
}

function ownedBy(viewer: Viewer): Prisma.ProjectWhereInput {
  const owned = [...viewer.groupLevels].flatMap(([id, level]) =>
    level === Access.owner ? [id] : [],
  );
  return {
    OR: [
      { namespace: { ownerId: viewer.id } },
      ...(owned.length > 0 ? [{ namespace: { ancestorIds: { hasSome: owned } } }] : []),
    ],
  };
}
