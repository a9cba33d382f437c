import type { z } from 'zod';
import type { Paging } from '../../schema/client/operation.ts';
import { p } from '../kernel/params.ts';

/** The parameters that listings of issues and of merge requests share. */
export const issuableListingParams = {
  labels: p.list().optional(),
  milestone: p.text().optional(),
  iids: p.intList().optional(),
  search: p.text().optional(),
  author_id: p.id().optional(),
  /** 0: no assignee; ids beyond the column's range must not become 0. */
  assignee_id: p.int().optional(),
  my_reaction_emoji: p.text().optional(),
  created_after: p.time().optional(),
  created_before: p.time().optional(),
  updated_after: p.time().optional(),
  updated_before: p.time().optional(),
  scope: p
    .choice(['created-by-me', 'assigned-to-me', 'created_by_me', 'assigned_to_me', 'all'])
    .optional(),
  order_by: p.choice(['created_at', 'updated_at']).optional(),
  sort: p.choice(['asc', 'desc']).optional(),
};

/** The parameters of every listing of issues (v4-behaviour 3.3). */
export const issueListingParams = {
  ...issuableListingParams,
  state: p.choice(['opened', 'closed', 'all']).optional(),
};

type Params<Schemas extends z.ZodRawShape> = {
  readonly [Name in keyof Schemas]?: z.output<Schemas[Name]>;
};

/** The scopes of a listing by their old and new spellings. */
const scopes = {
  'created-by-me': 'createdByMe',
  created_by_me: 'createdByMe',
  'assigned-to-me': 'assignedToMe',
  assigned_to_me: 'assignedToMe',
  all: 'all',
} as const;

export type ListingScope = keyof typeof scopes;

/** The variables that both listings share; `scope` is the default. */
export const issuableListing = (
  params: Params<typeof issuableListingParams> & Paging,
  scope: ListingScope,
) => ({
  page: params.page,
  perPage: params.perPage,
  orderBy: params.order_by === 'updated_at' ? ('updatedAt' as const) : ('createdAt' as const),
  sort: params.sort,
  filter: {
    labels: params.labels && [...params.labels],
    milestone: params.milestone,
    // clients send an empty list for no filter
    iids: params.iids?.length ? [...params.iids] : undefined,
    search: params.search,
    authorId: params.author_id,
    assigneeId: params.assignee_id,
    myReaction: params.my_reaction_emoji,
    createdAfter: params.created_after,
    createdBefore: params.created_before,
    updatedAfter: params.updated_after,
    updatedBefore: params.updated_before,
    scope: scopes[params.scope ?? scope],
  },
});

/** The state filter for the core: `all` means none. */
export const stateFilter = <State extends string>(state: State | 'all' | undefined) =>
  state === 'all' ? undefined : (state as Exclude<State, 'all'> | undefined);

/** The variables of a listing of issues. */
export function issueListing(
  params: Params<typeof issueListingParams> & Paging,
  scope: ListingScope,
) {
  const { filter, ...listing } = issuableListing(params, scope);
  return { ...listing, filter: { ...filter, state: stateFilter(params.state) } };
}
