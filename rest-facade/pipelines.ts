import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import {
  listedPipeline,
  listedPipelineFields,
  pipeline,
  pipelineFields,
} from './entities/pipeline.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const statuses = [
  'running',
  'pending',
  'success',
  'failed',
  'canceled',
  'skipped',
  'created',
  'manual',
] as const;

const orders = { id: 'id', status: 'status', ref: 'ref', user_id: 'userId' } as const;

const list = route({
  method: 'get',
  path: '/projects/:id/pipelines',
  access: 'signed in',
  params: z.object({
    ...ref,
    scope: p.choice(['running', 'pending', 'finished', 'branches', 'tags']).optional(),
    status: p.choice(statuses).optional(),
    ref: p.text().optional(),
    yaml_errors: p.flag().optional(),
    name: p.text().optional(),
    username: p.text().optional(),
    order_by: p.choice(['id', 'status', 'ref', 'user_id']).optional(),
    sort: p.choice(['asc', 'desc']).optional(),
  }),
  document: graphql(
    `query Pipelines(
      $project: ID!, $filter: PipelineFilter, $orderBy: PipelineOrder, $sort: SortDirection
      $page: Int, $perPage: Int
    ) {
      page: pipelines(
        project: $project, filter: $filter, orderBy: $orderBy, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...ListedPipelineFields } }
    }`,
    [listedPipelineFields],
  ),
  variables: ({ id, order_by, sort, page, perPage, yaml_errors, ...filter }) => ({
    project: id,
    filter: {
      scope: filter.scope,
      status: filter.status,
      ref: filter.ref,
      hasYamlErrors: yaml_errors,
      name: filter.name,
      username: filter.username,
    },
    orderBy: order_by && orders[order_by],
    sort,
    page,
    perPage,
  }),
  reshape: listedPipeline,
});

const one = { ...ref, pipeline_id: p.id() };

const show = route({
  method: 'get',
  path: '/projects/:id/pipelines/:pipeline_id',
  access: 'signed in',
  params: z.object(one),
  document: graphql(
    `query Pipeline($project: ID!, $id: Int!) {
      result: pipeline(project: $project, id: $id) { ...PipelineFields }
    }`,
    [pipelineFields],
  ),
  variables: ({ id, pipeline_id }) => ({ project: id, id: pipeline_id }),
  reshape: pipeline,
});

const create = route({
  method: 'post',
  path: '/projects/:id/pipeline',
  access: 'signed in',
  params: z.object({ ...ref, ref: p.text() }),
  document: graphql(
    `mutation CreatePipeline($project: ID!, $ref: String!) {
      result: createPipeline(project: $project, ref: $ref) { ...PipelineFields }
    }`,
    [pipelineFields],
  ),
  variables: ({ id, ref: of }) => ({ project: id, ref: of }),
  reshape: pipeline,
});

const retry = route({
  method: 'post',
  path: '/projects/:id/pipelines/:pipeline_id/retry',
  access: 'signed in',
  params: z.object(one),
  document: graphql(
    `mutation RetryPipeline($project: ID!, $id: Int!) {
      result: retryPipeline(project: $project, id: $id) { ...PipelineFields }
    }`,
    [pipelineFields],
  ),
  variables: ({ id, pipeline_id }) => ({ project: id, id: pipeline_id }),
  reshape: pipeline,
});

const cancel = route({
  method: 'post',
  path: '/projects/:id/pipelines/:pipeline_id/cancel',
  access: 'signed in',
  status: 200,
  params: z.object(one),
  document: graphql(
    `mutation CancelPipeline($project: ID!, $id: Int!) {
      result: cancelPipeline(project: $project, id: $id) { ...PipelineFields }
    }`,
    [pipelineFields],
  ),
  variables: ({ id, pipeline_id }) => ({ project: id, id: pipeline_id }),
  reshape: pipeline,
});

export const pipelines = [list, show, create, retry, cancel];
