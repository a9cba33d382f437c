import type { Resource } from '../kernel/resource.ts';

export const event: Resource = {
  name: 'event',
  title: 'Events',
  methods: {
    list: ['GET /events', "List the current user's events"],
    list_of_user: ['GET /users/:id/events', 'List the events of a user'],
    list_of_project: ['GET /projects/:id/events', 'List the events of a project'],
  },
};
