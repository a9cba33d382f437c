import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { listedPipelineFields } from './entities/pipeline.ts';
import { basicUserFields } from './entities/user.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, entity, s, shaped } from './kernel/shape.ts';

const fields = graphql(
  `fragment PipelineScheduleFields on PipelineSchedule {
    id description ref cron cron_timezone: cronTimezone next_run_at: nextRunAt active: isActive
    created_at: createdAt updated_at: updatedAt owner { ...BasicUserFields }
  }`,
  [basicUserFields],
);

const variableFields = graphql(
  `fragment PipelineScheduleVariableFields on PipelineScheduleVariable { key value }`,
);

const detailFields = graphql(
  `fragment PipelineScheduleDetailFields on PipelineSchedule {
    ...PipelineScheduleFields
    last_error: lastError last_pipeline: lastPipeline { ...ListedPipelineFields }
    variables { ...PipelineScheduleVariableFields }
  }`,
  [fields, listedPipelineFields, variableFields],
);

/** A schedule by itself; other developers than its owner do not see its variables. */
const schedule = shaped(
  changed('PipelineScheduleDetails', detailFields, ['variables'], {
    variables: s
      .list(s.object({ key: s.text(), value: s.text() }))
      .optional()
      .describe('The variables for the jobs; for the owner of the schedule and masters.'),
  }),
  ({ variables, ...record }: ResultOf<typeof detailFields>) => ({
    ...record,
    ...(variables && { variables }),
  }),
);

const all = { path: '/projects/:id/pipeline_schedules', access: 'signed in' } as const;
const single = { ...all, path: `${all.path}/:pipeline_schedule_id` } as const;

const list = route({
  ...all,
  method: 'get',
  params: z.object({
    ...ref,
    scope: p
      .choice(['active', 'inactive'])
      .optional()
      .describe('Only schedules that create pipelines, or only others.'),
  }),
  document: graphql(
    `query PipelineSchedules(
      $id: ID!, $filter: PipelineScheduleFilter, $page: Int, $perPage: Int
    ) {
      page: pipelineSchedules(project: $id, filter: $filter, page: $page, perPage: $perPage) {
        total nodes { ...PipelineScheduleFields }
      }
    }`,
    [fields],
  ),
  variables: ({ scope, ...rest }) => ({
    ...rest,
    filter: scope && { isActive: scope === 'active' },
  }),
});

const params = z.object({ ...ref, pipeline_schedule_id: p.id() });

const show = route({
  ...single,
  method: 'get',
  params,
  document: graphql(
    `query PipelineSchedule($id: ID!, $pipeline_schedule_id: Int!) {
      result: pipelineSchedule(project: $id, id: $pipeline_schedule_id) {
        ...PipelineScheduleDetailFields
      }
    }`,
    [detailFields],
  ),
  reshape: schedule,
});

const create = route({
  ...all,
  method: 'post',
  params: z.object({
    ...ref,
    description: p.text(),
    ref: p.text(),
    cron: p.text(),
    cron_timezone: p.text().optional(),
    active: p.flag().optional(),
  }),
  document: graphql(
    `mutation CreatePipelineSchedule(
      $id: ID!, $description: String!, $ref: String!, $cron: String!, $cron_timezone: String
      $active: Boolean
    ) {
      result: createPipelineSchedule(
        project: $id, description: $description, ref: $ref, cron: $cron
        cronTimezone: $cron_timezone, isActive: $active
      ) { ...PipelineScheduleDetailFields }
    }`,
    [detailFields],
  ),
  reshape: schedule,
});

const update = route({
  ...single,
  method: 'put',
  statuses: [409],
  params: params.extend({
    description: p.text().optional(),
    ref: p.text().optional(),
    cron: p.text().optional(),
    cron_timezone: p.text().optional(),
    active: p.flag().optional(),
  }),
  document: graphql(
    `mutation UpdatePipelineSchedule(
      $id: ID!, $pipeline_schedule_id: Int!, $description: String, $ref: String, $cron: String
      $cron_timezone: String, $active: Boolean
    ) {
      result: updatePipelineSchedule(
        project: $id, id: $pipeline_schedule_id, description: $description, ref: $ref, cron: $cron
        cronTimezone: $cron_timezone, isActive: $active
      ) { ...PipelineScheduleDetailFields }
    }`,
    [detailFields],
  ),
  reshape: schedule,
});

const take = route({
  method: 'post',
  path: '/projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership',
  statuses: [409],
  access: 'signed in',
  params,
  document: graphql(
    `mutation TakePipelineSchedule($id: ID!, $pipeline_schedule_id: Int!) {
      result: takePipelineScheduleOwnership(project: $id, id: $pipeline_schedule_id) {
        ...PipelineScheduleDetailFields
      }
    }`,
    [detailFields],
  ),
  reshape: schedule,
});

const play = route({
  method: 'post',
  path: '/projects/:id/pipeline_schedules/:pipeline_schedule_id/play',
  statuses: [409],
  access: 'signed in',
  params,
  document: graphql(
    `mutation RunPipelineSchedule($id: ID!, $pipeline_schedule_id: Int!) {
      result: runPipelineSchedule(project: $id, id: $pipeline_schedule_id) { id }
    }`,
  ),
  response: entity('PipelineScheduleRun', {
    message: s.text().describe('Always `201 Created`.'),
  }),
  reshape: () => ({ message: '201 Created' }),
});

const remove = route({
  ...single,
  method: 'delete',
  params,
  document: graphql(
    `mutation DeletePipelineSchedule($id: ID!, $pipeline_schedule_id: Int!) {
      deletePipelineSchedule(project: $id, id: $pipeline_schedule_id)
    }`,
  ),
});

const variables = `${single.path}/variables` as const;
const oneVariable = { path: `${variables}/:key`, access: 'signed in', statuses: [409] } as const;
const variableParams = params.extend({ key: p.text() });

const createVariable = route({
  method: 'post',
  path: variables,
  access: 'signed in',
  statuses: [409],
  params: variableParams.extend({ value: p.text() }),
  document: graphql(
    `mutation CreatePipelineScheduleVariable(
      $id: ID!, $pipeline_schedule_id: Int!, $key: String!, $value: String!
    ) {
      result: createPipelineScheduleVariable(
        project: $id, id: $pipeline_schedule_id, key: $key, value: $value
      ) { ...PipelineScheduleVariableFields }
    }`,
    [variableFields],
  ),
});

const updateVariable = route({
  ...oneVariable,
  method: 'put',
  params: variableParams.extend({ value: p.text().optional() }),
  document: graphql(
    `mutation UpdatePipelineScheduleVariable(
      $id: ID!, $pipeline_schedule_id: Int!, $key: String!, $value: String
    ) {
      result: updatePipelineScheduleVariable(
        project: $id, id: $pipeline_schedule_id, key: $key, value: $value
      ) { ...PipelineScheduleVariableFields }
    }`,
    [variableFields],
  ),
});

const removeVariable = route({
  ...oneVariable,
  method: 'delete',
  status: 202,
  params: variableParams,
  document: graphql(
    `mutation DeletePipelineScheduleVariable($id: ID!, $pipeline_schedule_id: Int!, $key: String!) {
      result: deletePipelineScheduleVariable(
        project: $id, id: $pipeline_schedule_id, key: $key
      ) { ...PipelineScheduleVariableFields }
    }`,
    [variableFields],
  ),
});

export const pipelineSchedules = [
  ...[list, show, create, update, take, play, remove],
  ...[createVariable, updateVariable, removeVariable],
];
