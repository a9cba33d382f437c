import { collection, type Resource } from '../kernel/resource.ts';

const all = '/projects/:id/triggers';

export const trigger: Resource = {
  name: 'trigger',
  title: 'Pipeline triggers',
  methods: {
    ...collection(all, ':trigger_id', 'trigger', 'a project'),
    take_ownership: [
      `POST ${all}/:trigger_id/take_ownership`,
      'Make the current user the owner of a trigger',
    ],
    run: ['POST /projects/:id/trigger/pipeline', 'Run a pipeline with the token of a trigger'],
  },
};
