import type { Resource } from './kernel/resource.ts';

export const group: Resource = {
  name: 'group',
  title: 'Groups',
  noun: 'group',
  methods: {
    list: { operation: 'GET /groups', title: 'List groups' },
    info: { operation: 'GET /groups/:id', title: 'Show a group' },
    projects: { operation: 'GET /groups/:id/projects', title: 'List the projects of a group' },
    subgroups: { operation: 'GET /groups/:id/subgroups', title: 'List the groups within a group' },
    create: { operation: 'POST /groups', title: 'Create a group' },
    update: { operation: 'PUT /groups/:id', title: 'Change a group' },
    delete: { operation: 'DELETE /groups/:id', title: 'Delete a group with all its projects' },
    transfer: {
      operation: 'POST /groups/:id/projects/:project_id',
      title: 'Move a project into a group',
    },
  },
};
