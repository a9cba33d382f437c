import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { pipeline, pipelineFields } from './entities/pipeline.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const fields = graphql(
  `fragment TriggerFields on Trigger {
    id token description createdAt updatedAt lastUsedAt owner { ...BasicUserFields }
  }`,
  [basicUserFields],
);

const trigger = (found: ResultOf<typeof fields>) => ({
  id: found.id,
  token: found.token,
  description: found.description,
  created_at: found.createdAt,
  updated_at: found.updatedAt,
  // one that is deleted is shown no more
  deleted_at: null,
  last_used: found.lastUsedAt,
  owner: found.owner,
});

const all = { path: '/projects/:id/triggers', access: 'signed in' } as const;
const single = { path: '/projects/:id/triggers/:trigger_id', access: 'signed in' } as const;

const list = route({
  ...all,
  method: 'get',
  params: z.object(ref),
  document: graphql(
    `query Triggers($project: ID!, $page: Int, $perPage: Int) {
      page: triggers(project: $project, page: $page, perPage: $perPage) {
        total nodes { ...TriggerFields }
      }
    }`,
    [fields],
  ),
  variables: ({ id, page, perPage }) => ({ project: id, page, perPage }),
  reshape: trigger,
});

const params = z.object({ ...ref, trigger_id: p.id() });
const variables = ({ id, trigger_id }: z.infer<typeof params>) => ({ project: id, id: trigger_id });

const show = route({
  ...single,
  method: 'get',
  params,
  document: graphql(
    `query Trigger($project: ID!, $id: Int!) {
      result: trigger(project: $project, id: $id) { ...TriggerFields }
    }`,
    [fields],
  ),
  variables,
  reshape: trigger,
});

const create = route({
  ...all,
  method: 'post',
  params: z.object({ ...ref, description: p.text() }),
  document: graphql(
    `mutation CreateTrigger($project: ID!, $description: String!) {
      result: createTrigger(project: $project, description: $description) { ...TriggerFields }
    }`,
    [fields],
  ),
  variables: ({ id, description }) => ({ project: id, description }),
  reshape: trigger,
});

const update = route({
  ...single,
  method: 'put',
  params: params.extend({ description: p.text().optional() }),
  document: graphql(
    `mutation UpdateTrigger($project: ID!, $id: Int!, $description: String) {
      result: updateTrigger(project: $project, id: $id, description: $description) { ...TriggerFields }
    }`,
    [fields],
  ),
  variables: ({ description, ...one }) => ({ ...variables(one), description }),
  reshape: trigger,
});

const take = route({
  method: 'post',
  path: '/projects/:id/triggers/:trigger_id/take_ownership',
  access: 'signed in',
  status: 200,
  params,
  document: graphql(
    `mutation TakeTrigger($project: ID!, $id: Int!) {
      result: takeTrigger(project: $project, id: $id) { ...TriggerFields }
    }`,
    [fields],
  ),
  variables,
  reshape: trigger,
});

const remove = route({
  ...single,
  method: 'delete',
  params,
  document: graphql(
    `mutation DeleteTrigger($project: ID!, $id: Int!) { deleteTrigger(project: $project, id: $id) }`,
  ),
  variables,
});

/** The token alone says who asks. A branch may be a part of the path (v4-behaviour 3.9). */
const run = ['/projects/:id/trigger/pipeline', '/projects/:id/ref/*ref/trigger/pipeline'].map(
  (path) =>
    route({
      method: 'post',
      path,
      access: 'anyone',
      params: z.object({
        ...ref,
        ref: p.text(),
        token: p.text(),
        variables: p.hash().optional(),
      }),
      document: graphql(
        `mutation RunTrigger(
          $project: ID!, $token: String!, $ref: String!, $variables: [TriggerVariable!]
        ) {
          result: runTrigger(project: $project, token: $token, ref: $ref, variables: $variables) {
            ...PipelineFields
          }
        }`,
        [pipelineFields],
      ),
      variables: ({ id, ref: of, token, variables: given }) => ({
        project: id,
        ref: of,
        token,
        variables: given && Object.entries(given).map(([key, value]) => ({ key, value })),
      }),
      reshape: pipeline,
    }),
);

export const triggers = [list, show, create, update, take, remove, ...run];
