import type { Resource } from '../kernel/resource.ts';

const ofProject = '/projects/:id/runners';

export const runner: Resource = {
  name: 'runner',
  title: 'Runners',
  methods: {
    list: ['GET /runners', "List the current user's runners"],
    list_all: ['GET /runners/all', 'List all runners'],
    list_of_project: [`GET ${ofProject}`, 'List the runners of a project'],
    info: ['GET /runners/:id', 'Show a runner'],
    update: ['PUT /runners/:id', 'Update a runner'],
    delete: ['DELETE /runners/:id', 'Delete a runner'],
    enable: [`POST ${ofProject}`, 'Enable a runner in a project'],
    disable: [`DELETE ${ofProject}/:runner_id`, 'Disable a runner in a project'],
  },
};
