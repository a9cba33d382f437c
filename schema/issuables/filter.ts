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
  const rows = name === 'Issue' ? 'issues' : 'merge requests';
  const only = `Only ${rows}`;
  const Order = builder.enumType(`${name}Order`, {
    description: `What ${rows} are sorted by.`,
    values: {
      createdAt: { description: 'The time of creation.' },
      updatedAt: { description: 'The time of the last change.' },
    } as const,
  });
  const Scope = builder.enumType(`${name}Scope`, {
    description: `Which ${rows} a listing has, by their relation to the current user.`,
    values: {
      createdByMe: { description: `The ${rows} that the current user created.` },
      assignedToMe: { description: `The ${rows} that are assigned to the current user.` },
      all: { description: `All ${rows} that the current user may see.` },
    } as const,
  });
  return {
    filterFields: (t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) => ({
      labels: t.stringList({
        description: `${only} with all labels of these names; \`No Label\` alone means those without labels.`,
      }),
      milestone: t.string({
        description: `${only} with a milestone of this title; \`No Milestone\` means those without one, \`Any Milestone\` those with one.`,
      }),
      iids: t.intList({ description: `${only} with these numbers in their project.` }),
      search: t.string({
        description: `${only} whose title or description contains this text, in any case: at most 255 characters.`,
      }),
      authorId: t.int({ description: `${only} that this user created.` }),
      assigneeId: t.int({
        description: `${only} that are assigned to this user; 0 means those without an assignee.`,
      }),
      myReaction: t.string({
        description: `${only} to which the current user gave the award emoji of this name.`,
      }),
      createdAfter: t.field({
        type: 'DateTime',
        description: `${only} that were created at this time or later.`,
      }),
      createdBefore: t.field({
        type: 'DateTime',
        description: `${only} that were created at this time or earlier.`,
      }),
      updatedAfter: t.field({
        type: 'DateTime',
        description: `${only} that were changed at this time or later.`,
      }),
      updatedBefore: t.field({
        type: 'DateTime',
        description: `${only} that were changed at this time or earlier.`,
      }),
      scope: t.field({
        type: Scope,
        description: `${only} with this relation to the current user; all by default.`,
      }),
    }),
    orderArgs: builder.args((t) => ({
      orderBy: t.field({
        type: Order,
        defaultValue: 'createdAt' as const,
        description: `What the ${rows} are sorted by.`,
      }),
      sort: t.field({
        type: SortDirection,
        defaultValue: 'desc' as const,
        description: 'The direction of the order.',
      }),
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
