import type { z } from 'zod';
import type { ResultOf } from '../../schema/client/graphql.ts';
import type { Paging } from '../../schema/client/operation.ts';
import { p } from '../kernel/params.ts';
import { scopes } from './issue-listing.ts';
import { mergeRequest, type mergeRequestFields, simpleMergeRequest } from './merge-request.ts';

/** What every listing of merge requests takes (v4-behaviour 3.4). */
export const mergeRequestListingParams = {
  state: p.choice(['opened', 'closed', 'locked', 'merged', 'all']).optional(),
  labels: p.list().optional(),
  milestone: p.text().optional(),
  iids: p.intList().optional(),
  search: p.text().optional(),
  author_id: p.id().optional(),
  /** 0: nobody's; no id beyond a column's range may become that. */
  assignee_id: p.int().optional(),
  my_reaction_emoji: p.text().optional(),
  source_branch: p.text().optional(),
  target_branch: p.text().optional(),
  created_after: p.time().optional(),
  created_before: p.time().optional(),
  updated_after: p.time().optional(),
  updated_before: p.time().optional(),
  scope: p
    .choice(['created-by-me', 'assigned-to-me', 'created_by_me', 'assigned_to_me', 'all'])
    .optional(),
  order_by: p.choice(['created_at', 'updated_at']).optional(),
  sort: p.choice(['asc', 'desc']).optional(),
  view: p.choice(['simple']).optional(),
};

type Params = {
  readonly [Name in keyof typeof mergeRequestListingParams]?: z.output<
    (typeof mergeRequestListingParams)[Name]
  >;
};

/** The variables of a listing of merge requests; `scope` is the one when none is asked for. */
export const mergeRequestListing = (params: Params & Paging, scope: keyof typeof scopes) => ({
  page: params.page,
  perPage: params.perPage,
  orderBy: params.order_by === 'updated_at' ? ('updatedAt' as const) : ('createdAt' as const),
  sort: params.sort,
  filter: {
    state: params.state === 'all' ? undefined : params.state,
    labels: params.labels && [...params.labels],
    milestone: params.milestone,
    // clients send an empty list for none asked
    iids: params.iids?.length ? [...params.iids] : undefined,
    search: params.search,
    authorId: params.author_id,
    assigneeId: params.assignee_id,
    myReaction: params.my_reaction_emoji,
    sourceBranch: params.source_branch,
    targetBranch: params.target_branch,
    createdAfter: params.created_after,
    createdBefore: params.created_before,
    updatedAfter: params.updated_after,
    updatedBefore: params.updated_before,
    scope: scopes[params.scope ?? scope],
  },
});

/** The merge requests on a page, as shortly as it is asked for. */
export const listedMergeRequests = (
  nodes: readonly ResultOf<typeof mergeRequestFields>[],
  { view }: Pick<Params, 'view'>,
) => (view === 'simple' ? nodes.map(simpleMergeRequest) : nodes.map(mergeRequest));
