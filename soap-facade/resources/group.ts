import type { Resource } from '../kernel/resource.ts';

export const group: Resource = {
  name: 'group',
  title: 'Groups',
  methods: {
    list: ['GET /groups', 'List groups'],
    info: ['GET /groups/:id', 'Show a group'],
    projects: ['GET /groups/:id/projects', 'List the projects of a group'],
    subgroups: ['GET /groups/:id/subgroups', 'List the subgroups of a group'],
    create: ['POST /groups', 'Create a group'],
    update: ['PUT /groups/:id', 'Update a group'],
    delete: ['DELETE /groups/:id', 'Delete a group with all its projects'],
    move: ['POST /groups/:id/transfer', 'Transfer a group to a parent group or the top level'],
    transfer: ['POST /groups/:id/projects/:project_id', 'Transfer a project to a group'],
  },
};
