import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import {
  fullMergeRequest,
  fullMergeRequestFields,
  mergeRequestFields,
} from './entities/merge-request.ts';
import {
  listedMergeRequests,
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
      mergeRequests(
        filter: $filter, orderBy: $orderBy, sort: $sort, page: $page, perPage: $perPage
      ) { total nodes { ...MergeRequestFields } }
    }`,
    [mergeRequestFields],
  ),
  variables: (params) => mergeRequestListing(params, 'created-by-me'),
  page: ({ mergeRequests }) => mergeRequests.total,
  reshape: ({ mergeRequests: { nodes } }, params) => listedMergeRequests(nodes, params),
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
      groupMergeRequests(
        group: $group, filter: $filter, orderBy: $orderBy, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...MergeRequestFields } }
    }`,
    [mergeRequestFields],
  ),
  variables: ({ id, ...params }) => ({ group: id, ...mergeRequestListing(params, 'all') }),
  page: ({ groupMergeRequests }) => groupMergeRequests.total,
  reshape: ({ groupMergeRequests: { nodes } }, params) => listedMergeRequests(nodes, params),
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
      projectMergeRequests(
        project: $project, filter: $filter, orderBy: $orderBy, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...MergeRequestFields } }
    }`,
    [mergeRequestFields],
  ),
  variables: ({ id, ...params }) => ({ project: id, ...mergeRequestListing(params, 'all') }),
  page: ({ projectMergeRequests }) => projectMergeRequests.total,
  reshape: ({ projectMergeRequests: { nodes } }, params) => listedMergeRequests(nodes, params),
});

const show = route({
  method: 'get',
  path: '/projects/:id/merge_requests/:merge_request_iid',
  access: 'anyone',
  params: z.object({ ...ref, merge_request_iid: p.id() }),
  document: graphql(
    `query MergeRequest($project: ID!, $iid: Int!) {
      mergeRequest(project: $project, iid: $iid) { ...FullMergeRequestFields }
    }`,
    [fullMergeRequestFields],
  ),
  variables: ({ id, merge_request_iid: iid }) => ({ project: id, iid }),
  reshape: (data) => fullMergeRequest(data.mergeRequest),
});

export const mergeRequests = [list, listOfGroup, listOfProject, show];
