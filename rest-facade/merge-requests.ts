import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import type { Site } from '../schema/client/operation.ts';
import { issuableListing, mergeRequestListingParams } from './entities/issuable-listing.ts';
import { mergeRequest, mergeRequestFields, simpleMergeRequest } from './entities/merge-request.ts';
import { listedPipelineFields, pipeline, pipelineFields } from './entities/pipeline.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { shaped, shapeOf } from './kernel/shape.ts';
import { rebasedMergeRequestFields, shownMergeRequest } from './merge-request-rebase.ts';

/** In the requested view. */
const listed = shaped(
  z.union([shapeOf(mergeRequest), shapeOf(simpleMergeRequest)]),
  (
    record: ResultOf<typeof mergeRequestFields>,
    _site: Site,
    { view }: { readonly view?: 'simple' | undefined },
  ) => (view === 'simple' ? simpleMergeRequest(record) : mergeRequest(record)),
);

const list = route({
  method: 'get',
  path: '/merge_requests',
  access: 'anyone',
  params: z.object(mergeRequestListingParams),
  document: graphql(
    `query MergeRequests(
      $filter: MergeRequestFilter, $order_by: MergeRequestOrder, $sort: SortDirection
      $page: Int, $perPage: Int
    ) {
      page: mergeRequests(
        filter: $filter, orderBy: $order_by, sort: $sort, page: $page, perPage: $perPage
      ) { total nodes { ...MergeRequestFields } }
    }`,
    [mergeRequestFields],
  ),
  variables: (params) => issuableListing(params, 'createdByMe'),
  reshape: listed,
});

const listOfGroup = route({
  method: 'get',
  path: '/groups/:id/merge_requests',
  access: 'anyone',
  params: z.object({ ...ref, ...mergeRequestListingParams }),
  document: graphql(
    `query GroupMergeRequests(
      $id: ID!, $filter: MergeRequestFilter, $order_by: MergeRequestOrder, $sort: SortDirection
      $page: Int, $perPage: Int
    ) {
      page: groupMergeRequests(
        group: $id, filter: $filter, orderBy: $order_by, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...MergeRequestFields } }
    }`,
    [mergeRequestFields],
  ),
  variables: ({ id, ...params }) => ({ id, ...issuableListing(params, 'all') }),
  reshape: listed,
});

const listOfProject = route({
  method: 'get',
  path: '/projects/:id/merge_requests',
  access: 'anyone',
  params: z.object({ ...ref, ...mergeRequestListingParams }),
  document: graphql(
    `query ProjectMergeRequests(
      $id: ID!, $filter: MergeRequestFilter, $order_by: MergeRequestOrder
      $sort: SortDirection, $page: Int, $perPage: Int
    ) {
      page: projectMergeRequests(
        project: $id, filter: $filter, orderBy: $order_by, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...MergeRequestFields } }
    }`,
    [mergeRequestFields],
  ),
  variables: ({ id, ...params }) => ({ id, ...issuableListing(params, 'all') }),
  reshape: listed,
});

const show = route({
  method: 'get',
  path: '/projects/:id/merge_requests/:merge_request_iid',
  access: 'anyone',
  params: z.object({
    ...ref,
    merge_request_iid: p.id(),
    include_rebase_in_progress: p
      .flag()
      .optional()
      .describe(
        'Whether the response has `rebase_in_progress` and `merge_error`; from GitLab 11.6.',
      ),
  }),
  document: graphql(
    `query MergeRequest($id: ID!, $merge_request_iid: Int!) {
      result: mergeRequest(project: $id, iid: $merge_request_iid) { ...RebasedMergeRequestFields }
    }`,
    [rebasedMergeRequestFields],
  ),
  variables: ({ include_rebase_in_progress: _, ...params }) => params,
  reshape: shownMergeRequest,
});

const listPipelines = route({
  method: 'get',
  path: '/projects/:id/merge_requests/:merge_request_iid/pipelines',
  description:
    'From GitLab 10.5. The pipelines of the source branch in the source project, the newest first.',
  access: 'signed in',
  params: z.object({ ...ref, merge_request_iid: p.id() }),
  document: graphql(
    `query MergeRequestPipelines($id: ID!, $merge_request_iid: Int!, $page: Int, $perPage: Int) {
      page: mergeRequestPipelines(
        project: $id, iid: $merge_request_iid, page: $page, perPage: $perPage
      ) { total nodes { ...ListedPipelineFields } }
    }`,
    [listedPipelineFields],
  ),
});

const createPipeline = route({
  method: 'post',
  path: '/projects/:id/merge_requests/:merge_request_iid/pipelines',
  status: 200,
  description:
    'From GitLab 12.3. The pipeline is created for the source branch in the source project. Requires the permission to create a pipeline there.',
  access: 'signed in',
  params: z.object({ ...ref, merge_request_iid: p.id() }),
  document: graphql(
    `mutation CreateMergeRequestPipeline($id: ID!, $merge_request_iid: Int!) {
      result: createMergeRequestPipeline(project: $id, iid: $merge_request_iid) {
        ...PipelineFields
      }
    }`,
    [pipelineFields],
  ),
  reshape: pipeline,
});

export const mergeRequests = [
  list,
  listOfGroup,
  listOfProject,
  show,
  listPipelines,
  createPipeline,
];
