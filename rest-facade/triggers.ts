import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { pipeline, pipelineFields } from './entities/pipeline.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, shaped } from './kernel/shape.ts';

const fields = graphql(
  `fragment TriggerFields on Trigger {
    id token description created_at: createdAt updated_at: updatedAt
    deleted_at: __typename last_used: lastUsedAt owner { ...BasicUserFields }
  }`,
  [basicUserFields],
);

/** Deleted triggers are never shown. */
const trigger = shaped(
  changed('Trigger', fields, [], { deleted_at: z.null().describe('Always null.') }),
  (record: ResultOf<typeof fields>) => ({ ...record, deleted_at: null }),
);

const all = { path: '/projects/:id/triggers', access: 'signed in' } as const;
const single = { path: '/projects/:id/triggers/:trigger_id', access: 'signed in' } as const;

const list = route({
  ...all,
  method: 'get',
  params: z.object(ref),
  document: graphql(
    `query Triggers($id: ID!, $page: Int, $perPage: Int) {
      page: triggers(project: $id, page: $page, perPage: $perPage) {
        total nodes { ...TriggerFields }
      }
    }`,
    [fields],
  ),
  reshape: trigger,
});

const params = z.object({ ...ref, trigger_id: p.id() });

const show = route({
  ...single,
  method: 'get',
  params,
  document: graphql(
    `query Trigger($id: ID!, $trigger_id: Int!) {
      result: trigger(project: $id, id: $trigger_id) { ...TriggerFields }
    }`,
    [fields],
  ),
  reshape: trigger,
});

const create = route({
  ...all,
  method: 'post',
  params: z.object({ ...ref, description: p.text() }),
  document: graphql(
    `mutation CreateTrigger($id: ID!, $description: String!) {
      result: createTrigger(project: $id, description: $description) { ...TriggerFields }
    }`,
    [fields],
  ),
  reshape: trigger,
});

const update = route({
  ...single,
  method: 'put',
  params: params.extend({ description: p.text().optional() }),
  document: graphql(
    `mutation UpdateTrigger($id: ID!, $trigger_id: Int!, $description: String) {
      result: updateTrigger(project: $id, id: $trigger_id, description: $description) { ...TriggerFields }
    }`,
    [fields],
  ),
  reshape: trigger,
});

const take = route({
  method: 'post',
  path: '/projects/:id/triggers/:trigger_id/take_ownership',
  access: 'signed in',
  status: 200,
  params,
  document: graphql(
    `mutation TakeTrigger($id: ID!, $trigger_id: Int!) {
      result: takeTriggerOwnership(project: $id, id: $trigger_id) { ...TriggerFields }
    }`,
    [fields],
  ),
  reshape: trigger,
});

const remove = route({
  ...single,
  method: 'delete',
  params,
  document: graphql(
    `mutation DeleteTrigger($id: ID!, $trigger_id: Int!) { deleteTrigger(project: $id, id: $trigger_id) }`,
  ),
});

/** The token identifies the caller. A branch may be a part of the path (v4-behaviour 3.9). */
const run = ['/projects/:id/trigger/pipeline', '/projects/:id/ref/*ref/trigger/pipeline'].map(
  (path) =>
    route({
      method: 'post',
      path,
      ...(path.includes('*') && {
        title: 'Run a pipeline by a trigger, with the branch in the path',
      }),
      access: 'anyone',
      params: z.object({
        ...ref,
        ref: p.text(),
        token: p.text(),
        variables: p.hash().optional(),
      }),
      document: graphql(
        `mutation RunTrigger(
          $id: ID!, $token: String!, $ref: String!, $variables: [TriggerVariable!]
        ) {
          result: runTrigger(project: $id, token: $token, ref: $ref, variables: $variables) {
            ...PipelineFields
          }
        }`,
        [pipelineFields],
      ),
      variables: ({ variables: given, ...rest }) => ({
        ...rest,
        variables: given && Object.entries(given).map(([key, value]) => ({ key, value })),
      }),
      reshape: pipeline,
    }),
);

export const triggers = [list, show, create, update, take, remove, ...run];
