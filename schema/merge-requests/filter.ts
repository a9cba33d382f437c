import { Prisma } from '../../prisma/client.ts';
import { between } from '../kernel/between.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import type { PageArgs } from '../kernel/page.ts';
import { allOf, containsText, noRows } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { planned } from '../milestones/planned.ts';
import { SortDirection } from '../projects/filter.ts';
import { mergeRequestPage } from './rows.ts';
import { MergeRequestState } from './types.ts';

const MergeRequestOrder = builder.enumType('MergeRequestOrder', {
  values: ['createdAt', 'updatedAt'] as const,
});

const MergeRequestScope = builder.enumType('MergeRequestScope', {
  values: ['createdByMe', 'assignedToMe', 'all'] as const,
});

const MergeRequestFilter = builder.inputType('MergeRequestFilter', {
  fields: (t) => ({
    state: t.field({ type: MergeRequestState }),
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
    sourceBranch: t.string(),
    targetBranch: t.string(),
    createdAfter: t.field({ type: 'DateTime' }),
    createdBefore: t.field({ type: 'DateTime' }),
    updatedAfter: t.field({ type: 'DateTime' }),
    updatedBefore: t.field({ type: 'DateTime' }),
    scope: t.field({ type: MergeRequestScope }),
  }),
});

/** What every listing of merge requests takes. */
export const mergeRequestListArgs = builder.args((t) => ({
  filter: t.field({ type: MergeRequestFilter }),
  orderBy: t.field({ type: MergeRequestOrder, defaultValue: 'createdAt' as const }),
  sort: t.field({ type: SortDirection, defaultValue: 'desc' as const }),
}));

type Filter = Partial<typeof MergeRequestFilter.$inferInput>;

interface ListArgs extends PageArgs {
  readonly filter?: Filter | null | undefined;
  readonly orderBy?: typeof MergeRequestOrder.$inferInput | null | undefined;
  readonly sort?: 'asc' | 'desc' | null | undefined;
}

const columns = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/**
 * A page of merge requests that the filter keeps; `scope` says in SQL which of them are looked at, of
 * which there are only such as the viewer may see (schema/merge-requests/visible.ts).
 */
export function listMergeRequests(
  { filter, orderBy, sort, ...page }: ListArgs,
  ctx: Context,
  scope: readonly Prisma.Sql[],
) {
  return mergeRequestPage(ctx, {
    where: allOf([...scope, ...matching(filter ?? {}, ctx.viewer)]),
    isSearch: Boolean(filter?.search),
    column: columns[orderBy ?? 'createdAt'],
    direction: sort ?? 'desc',
    page,
  });
}

function matching(filter: Filter, viewer: Viewer | null): Prisma.Sql[] {
  const { state, labels, milestone, iids, search, authorId, assigneeId } = filter;
  return [
    ...(state ? [Prisma.raw(`state = '${state}'`)] : []),
    ...(labels ? labelledWith([...new Set(labels)]) : []),
    ...(milestone ? [planned(milestone)] : []),
    ...(iids ? [Prisma.sql`iid = ANY(${iids})`] : []),
    ...(search ? [saying(search)] : []),
    ...(typeof authorId === 'number' ? [Prisma.sql`author_id = ${authorId}`] : []),
    ...(typeof assigneeId === 'number' ? [assignedTo(assigneeId)] : []),
    ...(filter.sourceBranch ? [Prisma.sql`source_branch = ${filter.sourceBranch}`] : []),
    ...(filter.targetBranch ? [Prisma.sql`target_branch = ${filter.targetBranch}`] : []),
    ...between(filter),
    ...ofViewer(filter, viewer),
  ];
}

/** What asks for the viewer's own; nobody has none. */
function ofViewer({ scope, myReaction }: Filter, viewer: Viewer | null): Prisma.Sql[] {
  const isOwn = scope === 'createdByMe' || scope === 'assignedToMe' || Boolean(myReaction);
  if (!viewer) return isOwn ? [noRows] : [];
  return [
    ...(scope === 'createdByMe' ? [Prisma.sql`author_id = ${viewer.id}`] : []),
    ...(scope === 'assignedToMe' ? [Prisma.sql`assignee_id = ${viewer.id}`] : []),
    ...(myReaction
      ? [
          Prisma.sql`id IN (SELECT merge_request_id FROM award_emojis
            WHERE user_id = ${viewer.id} AND name = ${myReaction})`,
        ]
      : []),
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

const labelsNamed = Prisma.raw('merge_request_labels JOIN labels ON labels.id = label_id');

const labelled = (name: string): Prisma.Sql =>
  name.toLowerCase() === 'no label'
    ? Prisma.sql`NOT EXISTS (
        SELECT FROM merge_request_labels WHERE merge_request_id = merge_requests.id)`
    : Prisma.sql`id IN (SELECT merge_request_id FROM ${labelsNamed} WHERE labels.name = ${name})`;

const labelledWithAll = (names: readonly string[]): Prisma.Sql => Prisma.sql`
  (SELECT count(DISTINCT labels.name) FROM ${labelsNamed}
   WHERE merge_request_id = merge_requests.id AND labels.name = ANY(${names})) = ${names.length}`;

const saying = (text: string): Prisma.Sql => Prisma.sql`id IN (
  SELECT merge_request_id FROM merge_request_texts
  WHERE ${containsText(text, ['title', 'description'])})`;

const assignedTo = (userId: number): Prisma.Sql =>
  userId === 0 ? Prisma.sql`assignee_id IS NULL` : Prisma.sql`assignee_id = ${userId}`;
