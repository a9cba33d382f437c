import type { InputShapeFromFields } from '@pothos/core';
import { Prisma } from '../../prisma/client.ts';
import { builder, type InputFields } from '../kernel/builder.ts';
import { allOf, containsText, noRows } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { describeModel } from '../listing/described.ts';
import type { Listing } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { SortDirection } from '../listing/sort.ts';
import { timeConditions } from './between.ts';
import type { IssuableKind } from './kinds.ts';
import { labelledWith } from './labelled-with.ts';
import { ofUsernames } from './usernames.ts';

/** The columns of the fields that are computed; texts and labels are relations. */
const computed = {
  ...{ title: [], description: [], labels: ['projectId'], labelNames: [] },
  ...{ webUrl: ['iid'], isSubscribed: [] },
};

describeModel('Issue', {
  computed: { ...computed, assignees: [] },
  readBy: { author: 'author', 'assignees.user': 'assignees' },
});
describeModel('MergeRequest', {
  computed: { ...computed, sourceProjectId: ['sourceProjectId'], isWorkInProgress: [] },
  readBy: { author: 'author', assignee: 'assignee' },
});

/** The filter fields that issues and merge requests share, and the arguments of a listing. */
export function issuableFilterTypes(name: IssuableKind['name']) {
  const rows = name === 'Issue' ? 'issues' : 'merge requests';
  const only = `Only ${rows}`;
  const Order = builder.enumType(`${name}Order`, {
    description: `What ${rows} are ordered by.`,
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
    filterFields: (t: InputFields) => ({
      labels: t.stringList({ description: `${only} with all labels of these names.` }),
      hasLabels: t.boolean({
        description: `True: only ${rows} with labels. False: only those without.`,
      }),
      milestoneId: t.int({ description: `${only} of this milestone.` }),
      milestoneTitle: t.string({
        description: `${only} of a milestone with exactly this title, of any project or group.`,
      }),
      hasMilestone: t.boolean({
        description: `True: only ${rows} of a milestone. False: only those of none.`,
      }),
      iids: t.intList({ description: `${only} with these numbers in their project.` }),
      search: t.string({
        description: `${only} whose title or description contains this text, in any case: at most 255 characters.`,
      }),
      authorId: t.int({ description: `${only} that this user created.` }),
      assigneeId: t.int({ description: `${only} that are assigned to this user.` }),
      authorUsername: t.string({
        description: `${only} that the user with this username created, in any case.`,
      }),
      assigneeUsername: t.string({
        description: `${only} that are assigned to the user with this username, in any case.`,
      }),
      hasAssignee: t.boolean({
        description: `True: only ${rows} that are assigned to a user. False: only the others.`,
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
        description: `What the ${rows} are ordered by.`,
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
function matching(
  kind: IssuableKind,
  filter: IssuableFilter,
  viewer: Viewer | null,
  nameScope: Prisma.Sql | undefined,
): Prisma.Sql[] {
  const { state, labels, iids, search, authorId, assigneeId } = filter;
  const { reference, texts } = kind;
  return [
    ...(state ? [Prisma.raw(`state = '${state}'`)] : []),
    ...(labels ? labelledWith(kind, [...new Set(labels)], nameScope) : []),
    ...ofMilestone(filter, nameScope),
    ...(iids ? [Prisma.sql`iid = ANY(${iids})`] : []),
    ...(search
      ? [
          Prisma.sql`id IN (
            SELECT ${reference} FROM ${texts} WHERE ${containsText(search, ['title', 'description'])})`,
        ]
      : []),
    ...(typeof authorId === 'number' ? [Prisma.sql`author_id = ${authorId}`] : []),
    ...(typeof assigneeId === 'number' ? [kind.assignedTo(assigneeId)] : []),
    ...ofUsernames(kind, filter),
    ...having(kind, filter),
    ...timeConditions(filter),
    ...ofViewer(kind, filter, viewer),
  ];
}

function ofMilestone(
  { milestoneId, milestoneTitle }: IssuableFilter,
  nameScope: Prisma.Sql | undefined,
): Prisma.Sql[] {
  const titled = Prisma.sql`SELECT id FROM milestones WHERE title = ${milestoneTitle}`;
  return [
    ...(typeof milestoneId === 'number' ? [Prisma.sql`milestone_id = ${milestoneId}`] : []),
    ...(milestoneTitle
      ? [
          nameScope
            ? Prisma.sql`milestone_id = ANY(ARRAY(${titled} AND ${nameScope}))`
            : Prisma.sql`milestone_id IN (${titled})`,
        ]
      : []),
  ];
}

/** The conditions that something is given at all, or that it is not. */
function having(
  { isAssigned, isUnassigned, labels, reference, id }: IssuableKind,
  { hasAssignee, hasLabels, hasMilestone }: IssuableFilter,
): Prisma.Sql[] {
  const labelRows = Prisma.sql`SELECT FROM ${labels} WHERE ${reference} = ${id}`;
  const conditions = [
    [hasAssignee, isAssigned, isUnassigned],
    // OFFSET makes the planner look up each row instead of reading the labels of all
    [hasLabels, Prisma.sql`EXISTS (${labelRows} OFFSET 0)`, Prisma.sql`NOT EXISTS (${labelRows})`],
    [hasMilestone, Prisma.sql`NOT (${withoutMilestone})`, withoutMilestone],
  ] as const;
  return conditions.flatMap(([isGiven, isPresent, isAbsent]) => {
    if (typeof isGiven !== 'boolean') return [];
    return [isGiven ? isPresent : isAbsent];
  });
}

const withoutMilestone = Prisma.raw('milestone_id IS NULL');

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

const columns = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

export interface ListArgs<Filter> extends PageArgs {
  readonly filter?: Optional<Filter>;
  readonly orderBy?: Optional<keyof typeof columns>;
  readonly sort?: Optional<'asc' | 'desc'>;
  /** Which labels and milestones rows of the listing can have, if not all (name-scope.ts). */
  readonly nameScope?: Prisma.Sql | undefined;
}

/** The rows of `scope` that match the filter, as `readerOf` reads them (schema/listing/listing.ts). */
export const listingOf = (
  kind: IssuableKind,
  { filter, orderBy, sort, nameScope, ...page }: ListArgs<IssuableFilter>,
  viewer: Viewer | null,
  scope: readonly Prisma.Sql[],
): Listing => ({
  table: kind.table.sql as Listing['table'],
  where: allOf([...scope, ...matching(kind, filter ?? {}, viewer, nameScope)]),
  isSearch: Boolean(filter?.search || (nameScope && filter?.labels?.length)),
  column: columns[orderBy ?? 'createdAt'],
  direction: sort ?? 'desc',
  page,
});
