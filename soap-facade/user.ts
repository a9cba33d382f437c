import type { Resource } from './kernel/resource.ts';

const one = '/users/:id';

export const user: Resource = {
  name: 'user',
  title: 'Users',
  noun: 'user',
  methods: {
    current: { operation: 'GET /user', title: 'Show the caller' },
    list: { operation: 'GET /users', title: 'List users' },
    info: { operation: `GET ${one}`, title: 'Show a user' },
    create: { operation: 'POST /users', title: 'Create a user' },
    update: { operation: `PUT ${one}`, title: 'Change a user' },
    delete: { operation: `DELETE ${one}`, title: 'Delete a user' },
    block: { operation: `POST ${one}/block`, title: 'Block a user' },
    unblock: { operation: `POST ${one}/unblock`, title: 'Let a blocked user in again' },
    activities: {
      operation: 'GET /user/activities',
      title: 'List on which day users were last active',
    },
  },
};
