import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import {
  fullMergeRequest,
  fullMergeRequestFields,
  mergeRequestFields,
} from './entities/merge-request.ts';
import {
  listedMergeRequest,
  mergeRequestListing,
  mergeRequestListingParams,
} from './entities/merge-request-listing.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const list = route({
  method: 'get',
  path: '/merge_requests',
  access: 'anyone',
  params: z.object(mergeRequestListingParams),
  document: graphql(
    `query MergeRequests(
      $filter: MergeRequestFilter, $orderBy: MergeRequestOrder, $sort: SortDirection
      $page: Int, $perPage: Int
    ) {
      page: mergeRequests(
        filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage
      ) { total nodes { ...MergeRequestFields } }
    }`,
    [mergeRequestFields],
  ),
  variables: (params) => mergeRequestListing(params, 'created-by-me'),
  reshape: listedMergeRequest,
});

const listOfGroup = route({
  method: 'get',
  path: '/groups/:id/merge_requests',
  access: 'anyone',
  params: z.object({ ...ref, ...mergeRequestListingParams }),
  document: graphql(
    `query GroupMergeRequests(
      $group: ID!, $filter: MergeRequestFilter, $orderBy: MergeRequestOrder, $sort: SortDirection
      $page: Int, $perPage: Int
    ) {
      page: groupMergeRequests(
        group: $group, filter: $filter, orderBy: $orderBy, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...MergeRequestFields } }
    }`,
    [mergeRequestFields],
  ),
  variables: ({ id, ...params }) => ({ group: id, ...mergeRequestListing(params, 'all') }),
  reshape: listedMergeRequest,
});

const listOfProject = route({
  method: 'get',
  path: '/projects/:id/merge_requests',
  access: 'anyone',
  params: z.object({ ...ref, ...mergeRequestListingParams }),
  document: graphql(
    `query ProjectMergeRequests(
      $project: ID!, $filter: MergeRequestFilter, $orderBy: MergeRequestOrder
      $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: projectMergeRequests(
        project: $project, filter: $filter, orderBy: $orderBy, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...MergeRequestFields } }
    }`,
    [mergeRequestFields],
  ),
  variables: ({ id, ...params }) => ({ project: id, ...mergeRequestListing(params, 'all') }),
  reshape: listedMergeRequest,
});

const show = route({
  method: 'get',
  path: '/projects/:id/merge_requests/:merge_request_iid',
  access: 'anyone',
  params: z.object({ ...ref, merge_request_iid: p.id() }),
  document: graphql(
    `query MergeRequest($project: ID!, $iid: Int!) {
      result: mergeRequest(project: $project, iid: $iid) { ...FullMergeRequestFields }
    }`,
    [fullMergeRequestFields],
  ),
  variables: ({ id, merge_request_iid: iid }) => ({ project: id, iid }),
  reshape: fullMergeRequest,
});

export const mergeRequests = [list, listOfGroup, listOfProject, show];
