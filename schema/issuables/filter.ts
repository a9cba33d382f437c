import type { InputShapeFromFields } from '@pothos/core';
import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { allOf, containsText, noRows } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Listing } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { SortDirection } from '../listing/sort.ts';
import { inMilestone } from '../milestones/title-filter.ts';
import { timeConditions } from './between.ts';
import type { IssuableKind } from './kinds.ts';

type Types = typeof builder.$inferSchemaTypes;

/** The filter fields that issues and merge requests share, and the arguments of a listing. */
export function issuableFilterTypes(name: IssuableKind['name']) {
  const Order = builder.enumType(`${name}Order`, { values: ['createdAt', 'updatedAt'] as const });
  const Scope = builder.enumType(`${name}Scope`, {
    values: ['createdByMe', 'assignedToMe', 'all'] as const,
  });
  return {
    filterFields: (t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) => ({
      /** All of them; `No Label` alone: those that have none. */
      labels: t.stringList(),
      /** A title; `No Milestone`: those that have none, `Any Milestone`: those that have one. */
      milestone: t.string(),
      iids: t.intList(),
      /** In title or description, in any case of letters. */
      search: t.string(),
      authorId: t.int(),
      /** 0: those without an assignee. */
      assigneeId: t.int(),
      /** An award emoji that the viewer gave. */
      myReaction: t.string(),
      createdAfter: t.field({ type: 'DateTime' }),
      createdBefore: t.field({ type: 'DateTime' }),
      updatedAfter: t.field({ type: 'DateTime' }),
      updatedBefore: t.field({ type: 'DateTime' }),
      scope: t.field({ type: Scope }),
    }),
    orderArgs: builder.args((t) => ({
      orderBy: t.field({ type: Order, defaultValue: 'createdAt' as const }),
      sort: t.field({ type: SortDirection, defaultValue: 'desc' as const }),
    })),
  };
}

type Optional<Value> = Value | null | undefined;

type FilterFields = ReturnType<ReturnType<typeof issuableFilterTypes>['filterFields']>;

export type IssuableFilter = InputShapeFromFields<FilterFields> & {
  readonly state?: Optional<'opened' | 'closed' | 'locked' | 'merged'>;
};

/** `filter` as conditions in SQL. */
function matching(kind: IssuableKind, filter: IssuableFilter, viewer: Viewer | null): Prisma.Sql[] {
  const { state, labels, milestone, iids, search, authorId, assigneeId } = filter;
  const { reference, texts } = kind;
  return [
    ...(state ? [Prisma.raw(`state = '${state}'`)] : []),
    ...(labels ? labelledWith(kind, [...new Set(labels)]) : []),
    ...(milestone ? [inMilestone(milestone)] : []),
    ...(iids ? [Prisma.sql`iid = ANY(${iids})`] : []),
    ...(search
      ? [
          Prisma.sql`id IN (
            SELECT ${reference} FROM ${texts} WHERE ${containsText(search, ['title', 'description'])})`,
        ]
      : []),
    ...(typeof authorId === 'number' ? [Prisma.sql`author_id = ${authorId}`] : []),
    ...(assigneeId === 0 ? [kind.isUnassigned] : []),
    ...(assigneeId ? [kind.assignedTo(assigneeId)] : []),
    ...timeConditions(filter),
    ...ofViewer(kind, filter, viewer),
  ];
}

/** The conditions that depend on the current user; an anonymous user gets an empty list. */
function ofViewer(
  { reference, assignedTo }: IssuableKind,
  { scope, myReaction }: IssuableFilter,
  viewer: Viewer | null,
): Prisma.Sql[] {
  const isOwn = scope === 'createdByMe' || scope === 'assignedToMe' || Boolean(myReaction);
  if (!viewer) return isOwn ? [noRows] : [];
  return [
    ...(scope === 'createdByMe' ? [Prisma.sql`author_id = ${viewer.id}`] : []),
    ...(scope === 'assignedToMe' ? [assignedTo(viewer.id)] : []),
    ...(myReaction
      ? [
          Prisma.sql`id IN (SELECT ${reference} FROM award_emojis
            WHERE user_id = ${viewer.id} AND name = ${myReaction})`,
        ]
      : []),
  ];
}

/** More labels are matched by one count: each join makes PostgreSQL's planning slower. */
const mostJoined = 5;

function labelledWith(
  { id, reference, labels }: IssuableKind,
  names: readonly string[],
): Prisma.Sql[] {
  const labelRows = Prisma.sql`${labels} JOIN labels ON labels.id = label_id`;
  const rest = names.slice(mostJoined);
  return [
    ...names
      .slice(0, mostJoined)
      .map((name) =>
        name.toLowerCase() === 'no label'
          ? Prisma.sql`NOT EXISTS (SELECT FROM ${labels} WHERE ${reference} = ${id})`
          : Prisma.sql`id IN (SELECT ${reference} FROM ${labelRows} WHERE labels.name = ${name})`,
      ),
    ...(rest.length > 0
      ? [
          Prisma.sql`(SELECT count(DISTINCT labels.name) FROM ${labelRows}
            WHERE ${reference} = ${id} AND labels.name = ANY(${rest})) = ${rest.length}`,
        ]
      : []),
  ];
}

const columns = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

export interface ListArgs<Filter> extends PageArgs {
  readonly filter?: Optional<Filter>;
  readonly orderBy?: Optional<keyof typeof columns>;
  readonly sort?: Optional<'asc' | 'desc'>;
}

/** The rows of `scope` that match the filter, as `readerOf` reads them (schema/listing/listing.ts). */
export const listingOf = (
  kind: IssuableKind,
  { filter, orderBy, sort, ...page }: ListArgs<IssuableFilter>,
  viewer: Viewer | null,
  scope: readonly Prisma.Sql[],
): Omit<Listing, 'table'> => ({
  where: allOf([...scope, ...matching(kind, filter ?? {}, viewer)]),
  isSearch: Boolean(filter?.search),
  column: columns[orderBy ?? 'createdAt'],
  direction: sort ?? 'desc',
  page,
});
