import { collection, type Resource } from '../kernel/resource.ts';

const all = '/projects/:id/pipelines';
const path = `${all}/:pipeline_id` as const;

export const pipeline: Resource = {
  name: 'pipeline',
  title: 'Pipelines',
  methods: {
    list: [`GET ${all}`, 'List the pipelines of a project'],
    info: [`GET ${path}`, 'Show a pipeline'],
    variables: [`GET ${path}/variables`, 'List the variables given to a pipeline'],
    create: ['POST /projects/:id/pipeline', 'Run a pipeline for a branch or tag'],
    retry: [`POST ${path}/retry`, 'Retry the failed jobs of a pipeline'],
    cancel: [`POST ${path}/cancel`, 'Cancel the unfinished jobs of a pipeline'],
    delete: [`DELETE ${path}`, 'Delete a pipeline with its jobs'],
  },
};

const schedules = '/projects/:id/pipeline_schedules';
const oneSchedule = `${schedules}/:pipeline_schedule_id` as const;

export const pipelineSchedule: Resource = {
  name: 'pipeline_schedule',
  title: 'Pipeline schedules',
  methods: {
    ...collection(schedules, ':pipeline_schedule_id', 'pipeline schedule', 'a project'),
    take_ownership: [
      `POST ${oneSchedule}/take_ownership`,
      'Make the current user the owner of a pipeline schedule',
    ],
    run: [`POST ${oneSchedule}/play`, 'Create a pipeline of a schedule at once'],
    create_variable: [`POST ${oneSchedule}/variables`, 'Add a variable to a pipeline schedule'],
    update_variable: [
      `PUT ${oneSchedule}/variables/:key`,
      'Change a variable of a pipeline schedule',
    ],
    delete_variable: [
      `DELETE ${oneSchedule}/variables/:key`,
      'Delete a variable of a pipeline schedule',
    ],
  },
};
