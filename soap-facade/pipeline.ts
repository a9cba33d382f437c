import type { Resource } from './kernel/resource.ts';

const all = '/projects/:id/pipelines';
const path = `${all}/:pipeline_id` as const;

export const pipeline: Resource = {
  name: 'pipeline',
  title: 'Pipelines',
  methods: {
    list: [`GET ${all}`, 'List the pipelines of a project'],
    info: [`GET ${path}`, 'Show a pipeline'],
    create: ['POST /projects/:id/pipeline', 'Run a pipeline for a branch or tag'],
    retry: [`POST ${path}/retry`, 'Retry the failed jobs of a pipeline'],
    cancel: [`POST ${path}/cancel`, 'Cancel the unfinished jobs of a pipeline'],
  },
};
