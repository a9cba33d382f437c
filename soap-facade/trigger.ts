import type { Resource } from './kernel/resource.ts';

const all = '/projects/:id/triggers';
const one = `${all}/:trigger_id` as const;

export const trigger: Resource = {
  name: 'trigger',
  title: 'Triggers of pipelines',
  noun: 'trigger',
  methods: {
    list: { operation: `GET ${all}`, title: 'List the triggers of a project' },
    info: { operation: `GET ${one}`, title: 'Show a trigger' },
    create: { operation: `POST ${all}`, title: 'Create a trigger' },
    update: { operation: `PUT ${one}`, title: 'Change a trigger' },
    delete: { operation: `DELETE ${one}`, title: 'Delete a trigger' },
    take_ownership: {
      operation: `POST ${one}/take_ownership`,
      title: 'Make a trigger run pipelines as the caller',
    },
    run: {
      operation: 'POST /projects/:id/trigger/pipeline',
      title: 'Run a pipeline by the token of a trigger',
    },
  },
};
