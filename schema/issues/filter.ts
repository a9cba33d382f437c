import { Prisma } from '../../prisma/client.ts';
import { between } from '../kernel/between.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import type { PageArgs } from '../kernel/page.ts';
import { allOf, containsText } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { planned } from '../milestones/planned.ts';
import { SortDirection } from '../projects/filter.ts';
import { issuePage } from './rows.ts';
import { IssueState } from './types.ts';

const IssueOrder = builder.enumType('IssueOrder', { values: ['createdAt', 'updatedAt'] as const });

const IssueScope = builder.enumType('IssueScope', {
  values: ['createdByMe', 'assignedToMe', 'all'] as const,
});

const IssueFilter = builder.inputType('IssueFilter', {
  fields: (t) => ({
    state: t.field({ type: IssueState }),
    /** All of them; `No Label` alone: those that have none. */
    labels: t.stringList(),
    /** A title; `No Milestone`: those that have none, `Any Milestone`: those that have one. */
    milestone: t.string(),
    iids: t.intList(),
    /** In title or description, in any case of letters. */
    search: t.string(),
    authorId: t.int(),
    /** 0: nobody's. */
    assigneeId: t.int(),
    /** An emoji with which the viewer answered. */
    myReaction: t.string(),
    createdAfter: t.field({ type: 'DateTime' }),
    createdBefore: t.field({ type: 'DateTime' }),
    updatedAfter: t.field({ type: 'DateTime' }),
    updatedBefore: t.field({ type: 'DateTime' }),
    scope: t.field({ type: IssueScope }),
  }),
});

/** What every listing of issues takes. */
export const issueListArgs = builder.args((t) => ({
  filter: t.field({ type: IssueFilter }),
  orderBy: t.field({ type: IssueOrder, defaultValue: 'createdAt' as const }),
  sort: t.field({ type: SortDirection, defaultValue: 'desc' as const }),
}));

type Filter = Partial<typeof IssueFilter.$inferInput>;

interface ListArgs extends PageArgs {
  readonly filter?: Filter | null | undefined;
  readonly orderBy?: typeof IssueOrder.$inferInput | null | undefined;
  readonly sort?: 'asc' | 'desc' | null | undefined;
}

const columns = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/**
 * A page of issues that the filter keeps; `scope` says in SQL which of them are looked at, of which
 * there are only such as the viewer may see (schema/issues/visible.ts).
 */
export function listIssues(
  { filter, orderBy, sort, ...page }: ListArgs,
  viewer: Viewer,
  ctx: Context,
  scope: readonly Prisma.Sql[],
) {
  return issuePage(ctx, {
    table: 'issues',
    where: allOf([...scope, ...matching(filter ?? {}, viewer)]),
    isSearch: Boolean(filter?.search),
    column: columns[orderBy ?? 'createdAt'],
    direction: sort ?? 'desc',
    page,
  });
}

function matching(filter: Filter, viewer: Viewer): Prisma.Sql[] {
  const { state, labels, milestone, iids, search, authorId, assigneeId, myReaction } = filter;
  return [
    ...(state ? [Prisma.raw(`state = '${state}'`)] : []),
    ...(labels ? labelledWith([...new Set(labels)]) : []),
    ...(milestone ? [planned(milestone)] : []),
    ...(iids ? [Prisma.sql`iid = ANY(${iids})`] : []),
    ...(search ? [saying(search)] : []),
    ...(typeof authorId === 'number' ? [Prisma.sql`author_id = ${authorId}`] : []),
    ...(typeof assigneeId === 'number' ? [assignedTo(assigneeId)] : []),
    ...(myReaction ? [answeredWith(myReaction, viewer)] : []),
    ...between(filter),
    ...(filter.scope === 'createdByMe' ? [Prisma.sql`author_id = ${viewer.id}`] : []),
    ...(filter.scope === 'assignedToMe' ? [assignedTo(viewer.id)] : []),
  ];
}

/** So many labels are looked up one by one: planning takes the longer the more joins there are. */
const mostJoined = 5;

/** Bearing all of these labels. */
function labelledWith(names: readonly string[]): Prisma.Sql[] {
  const rest = names.slice(mostJoined);
  return [
    ...names.slice(0, mostJoined).map(labelled),
    ...(rest.length > 0 ? [labelledWithAll(rest)] : []),
  ];
}

const labelsNamed = Prisma.raw('issue_labels JOIN labels ON labels.id = label_id');

const labelled = (name: string): Prisma.Sql =>
  name.toLowerCase() === 'no label'
    ? Prisma.sql`NOT EXISTS (SELECT FROM issue_labels WHERE issue_id = issues.id)`
    : Prisma.sql`id IN (SELECT issue_id FROM ${labelsNamed} WHERE labels.name = ${name})`;

const labelledWithAll = (names: readonly string[]): Prisma.Sql => Prisma.sql`
  (SELECT count(DISTINCT labels.name) FROM ${labelsNamed}
   WHERE issue_id = issues.id AND labels.name = ANY(${names})) = ${names.length}`;

const saying = (text: string): Prisma.Sql =>
  Prisma.sql`id IN (SELECT issue_id FROM issue_texts WHERE ${containsText(text, ['title', 'description'])})`;

/** The issues somebody is to do, as ids. */
const assignmentsOf = (userId: number): Prisma.Sql =>
  Prisma.sql`SELECT issue_id FROM issue_assignees WHERE user_id = ${userId}`;

const assignedTo = (userId: number): Prisma.Sql =>
  userId === 0
    ? Prisma.sql`NOT EXISTS (SELECT FROM issue_assignees WHERE issue_id = issues.id)`
    : Prisma.sql`id IN (${assignmentsOf(userId)})`;

const answeredWith = (emoji: string, viewer: Viewer): Prisma.Sql => Prisma.sql`id IN (
  SELECT issue_id FROM award_emojis WHERE user_id = ${viewer.id} AND name = ${emoji})`;
