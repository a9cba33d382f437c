import type { Resource } from './kernel/resource.ts';

const all = '/projects/:id/pipelines';
const one = `${all}/:pipeline_id` as const;

export const pipeline: Resource = {
  name: 'pipeline',
  title: 'Pipelines',
  noun: 'pipeline',
  methods: {
    list: { operation: `GET ${all}`, title: 'List the pipelines of a project' },
    info: { operation: `GET ${one}`, title: 'Show a pipeline' },
    create: { operation: 'POST /projects/:id/pipeline', title: 'Run a pipeline for a reference' },
    retry: { operation: `POST ${one}/retry`, title: 'Run again what failed in a pipeline' },
    cancel: { operation: `POST ${one}/cancel`, title: 'Cancel what a pipeline still runs' },
  },
};
