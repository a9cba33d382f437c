import type { Resource } from './kernel/resource.ts';

const path = '/users/:id';

export const user: Resource = {
  name: 'user',
  title: 'Users',
  methods: {
    current: ['GET /user', 'Show the current user'],
    list: ['GET /users', 'List users'],
    info: [`GET ${path}`, 'Show a user'],
    create: ['POST /users', 'Create a user'],
    update: [`PUT ${path}`, 'Update a user'],
    delete: [`DELETE ${path}`, 'Delete a user'],
    block: [`POST ${path}/block`, 'Block a user'],
    unblock: [`POST ${path}/unblock`, 'Unblock a user'],
    activities: ['GET /user/activities', 'List the last activity dates of users'],
  },
};
