import type { Resource } from './kernel/resource.ts';

const one = '/users/:id';

export const user: Resource = {
  name: 'user',
  title: 'Users',
  methods: {
    current: ['GET /user', 'Show the current user'],
    list: ['GET /users', 'List users'],
    info: [`GET ${one}`, 'Show a user'],
    create: ['POST /users', 'Create a user'],
    update: [`PUT ${one}`, 'Update a user'],
    delete: [`DELETE ${one}`, 'Delete a user'],
    block: [`POST ${one}/block`, 'Block a user'],
    unblock: [`POST ${one}/unblock`, 'Unblock a user'],
    activities: ['GET /user/activities', 'List the last activity dates of users'],
  },
};
