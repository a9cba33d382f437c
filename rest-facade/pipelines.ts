import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { listedPipelineFields, pipeline, pipelineFields } from './entities/pipeline.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s } from './kernel/shape.ts';

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
    order_by: p
      .mapped({ id: 'id', status: 'status', ref: 'ref', user_id: 'userId' } as const)
      .optional(),
    sort: p.choice(['asc', 'desc']).optional(),
  }),
  document: graphql(
    `query Pipelines(
      $id: ID!, $filter: PipelineFilter, $order_by: PipelineOrder, $sort: SortDirection
      $page: Int, $perPage: Int
    ) {
      page: pipelines(
        project: $id, filter: $filter, orderBy: $order_by, sort: $sort
        page: $page, perPage: $perPage
      ) { total nodes { ...ListedPipelineFields } }
    }`,
    [listedPipelineFields],
  ),
  variables: ({ scope, status, ref: of, yaml_errors, name, username, ...rest }) => ({
    ...rest,
    filter: {
      scope,
      status,
      ref: of,
      hasYamlErrors: yaml_errors,
      name,
      username,
    },
  }),
});

const pipelineParams = { ...ref, pipeline_id: p.id() };

const show = route({
  method: 'get',
  path: '/projects/:id/pipelines/:pipeline_id',
  access: 'signed in',
  params: z.object(pipelineParams),
  document: graphql(
    `query Pipeline($id: ID!, $pipeline_id: Int!) {
      result: pipeline(project: $id, id: $pipeline_id) { ...PipelineFields }
    }`,
    [pipelineFields],
  ),
  reshape: pipeline,
});

const variableType = p.choice(['env_var']);

const listVariables = route({
  method: 'get',
  path: '/projects/:id/pipelines/:pipeline_id/variables',
  description: 'From GitLab 11.11. For masters, and the user who created the pipeline.',
  access: 'signed in',
  params: z.object(pipelineParams),
  document: graphql(
    `query PipelineVariables($id: ID!, $pipeline_id: Int!) {
      result: pipelineVariables(project: $id, id: $pipeline_id) { key value }
    }`,
  ),
  response: s.list(
    entity('PipelineVariable', {
      key: s.text().describe('The name.'),
      variable_type: s.choice(['env_var']).describe('The kind.'),
      value: s.text().describe('The value.'),
    }),
  ),
  reshape: (variables) =>
    variables.map(({ key, value }) => ({ key, variable_type: 'env_var' as const, value })),
});

const create = route({
  method: 'post',
  path: '/projects/:id/pipeline',
  access: 'signed in',
  params: z.object({
    ...ref,
    ref: p.text(),
    variables: z
      .array(
        z.object({
          key: p.text().describe('The name: letters, digits and underscores.'),
          value: p.text().describe('The value.'),
          variable_type: variableType
            .optional()
            .describe('The kind; variables in files are not supported.'),
        }),
      )
      .optional(),
  }),
  document: graphql(
    `mutation CreatePipeline($id: ID!, $ref: String!, $variables: [PipelineVariableInput!]) {
      result: createPipeline(project: $id, ref: $ref, variables: $variables) { ...PipelineFields }
    }`,
    [pipelineFields],
  ),
  variables: ({ variables, ...params }) => ({
    ...params,
    variables: variables?.map(({ key, value }) => ({ key, value })),
  }),
  reshape: pipeline,
});

const retry = route({
  method: 'post',
  path: '/projects/:id/pipelines/:pipeline_id/retry',
  access: 'signed in',
  params: z.object(pipelineParams),
  document: graphql(
    `mutation RetryPipeline($id: ID!, $pipeline_id: Int!) {
      result: retryPipeline(project: $id, id: $pipeline_id) { ...PipelineFields }
    }`,
    [pipelineFields],
  ),
  reshape: pipeline,
});

const cancel = route({
  method: 'post',
  path: '/projects/:id/pipelines/:pipeline_id/cancel',
  access: 'signed in',
  status: 200,
  params: z.object(pipelineParams),
  document: graphql(
    `mutation CancelPipeline($id: ID!, $pipeline_id: Int!) {
      result: cancelPipeline(project: $id, id: $pipeline_id) { ...PipelineFields }
    }`,
    [pipelineFields],
  ),
  reshape: pipeline,
});

const remove = route({
  method: 'delete',
  path: '/projects/:id/pipelines/:pipeline_id',
  description: 'From GitLab 11.6. For owners.',
  access: 'signed in',
  params: z.object(pipelineParams),
  document: graphql(
    `mutation DeletePipeline($id: ID!, $pipeline_id: Int!) {
      deletePipeline(project: $id, id: $pipeline_id)
    }`,
  ),
});

export const pipelines = [list, show, listVariables, create, retry, cancel, remove];
