import type { Resource } from './kernel/resource.ts';

export const event: Resource = {
  name: 'event',
  title: 'Events',
  noun: 'event',
  methods: {
    list: { operation: 'GET /events', title: 'List what the caller did' },
    list_of_user: { operation: 'GET /users/:id/events', title: 'List what a user did' },
    list_of_project: {
      operation: 'GET /projects/:id/events',
      title: 'List what happened in a project',
    },
  },
};
