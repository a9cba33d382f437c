import type { Resource } from './kernel/resource.ts';

export const runner: Resource = {
  name: 'runner',
  title: 'Runners',
  noun: 'runner',
  methods: {
    list: { operation: 'GET /runners', title: "List the caller's runners" },
    list_all: { operation: 'GET /runners/all', title: 'List all runners' },
    list_of_project: {
      operation: 'GET /projects/:id/runners',
      title: 'List the runners of a project',
    },
    info: { operation: 'GET /runners/:id', title: 'Show a runner' },
    update: { operation: 'PUT /runners/:id', title: 'Change a runner' },
    delete: { operation: 'DELETE /runners/:id', title: 'Delete a runner' },
    enable: { operation: 'POST /projects/:id/runners', title: 'Enable a runner in a project' },
    disable: {
      operation: 'DELETE /projects/:id/runners/:runner_id',
      title: 'Disable a runner in a project',
    },
  },
};
