import type { Resource } from './kernel/resource.ts';

const own = '/user/emails';
const ofUser = '/users/:id/emails';

export const email: Resource = {
  name: 'email',
  title: 'Email addresses of users',
  description: 'Those beside the first one.',
  noun: 'email',
  methods: {
    list: { operation: `GET ${own}`, title: "List the caller's addresses" },
    list_of_user: { operation: `GET ${ofUser}`, title: 'List the addresses of a user' },
    info: { operation: `GET ${own}/:email_id`, title: 'Show an address of the caller' },
    create: { operation: `POST ${own}`, title: 'Add an address to the caller' },
    create_for_user: { operation: `POST ${ofUser}`, title: 'Add an address to a user' },
    delete: { operation: `DELETE ${own}/:email_id`, title: 'Delete an address of the caller' },
    delete_of_user: {
      operation: `DELETE ${ofUser}/:email_id`,
      title: 'Delete an address of a user',
    },
  },
};
