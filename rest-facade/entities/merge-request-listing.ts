import type { z } from 'zod';
import type { ResultOf } from '../../schema/client/graphql.ts';
import type { Paging, Site } from '../../schema/client/operation.ts';
import { p } from '../kernel/params.ts';
import {
  issuableListing,
  issuableListingParams,
  type ListingScope,
  stateFilter,
} from './issue-listing.ts';
import { mergeRequest, type mergeRequestFields, simpleMergeRequest } from './merge-request.ts';

/** The parameters of every listing of merge requests (v4-behaviour 3.4). */
export const mergeRequestListingParams = {
  ...issuableListingParams,
  state: p.choice(['opened', 'closed', 'locked', 'merged', 'all']).optional(),
  source_branch: p.text().optional(),
  target_branch: p.text().optional(),
  view: p.choice(['simple']).optional(),
};

type Params = {
  readonly [Name in keyof typeof mergeRequestListingParams]?: z.output<
    (typeof mergeRequestListingParams)[Name]
  >;
};

/** The variables of a listing of merge requests; `scope` is the default. */
export function mergeRequestListing(params: Params & Paging, scope: ListingScope) {
  const { filter, ...listing } = issuableListing(params, scope);
  return {
    ...listing,
    filter: {
      ...filter,
      state: stateFilter(params.state),
      sourceBranch: params.source_branch,
      targetBranch: params.target_branch,
    },
  };
}

/** A merge request of a listing, in the requested view. */
export const listedMergeRequest = (
  record: ResultOf<typeof mergeRequestFields>,
  _site: Site,
  { view }: Pick<Params, 'view'>,
) => (view === 'simple' ? simpleMergeRequest(record) : mergeRequest(record));
