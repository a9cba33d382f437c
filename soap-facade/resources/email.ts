import type { Resource } from '../kernel/resource.ts';

const own = '/user/emails';
const ofUser = '/users/:id/emails';

export const email: Resource = {
  name: 'email',
  title: 'Email addresses of users',
  description: 'The additional addresses, without the primary address.',
  methods: {
    list: [`GET ${own}`, "List the current user's addresses"],
    list_of_user: [`GET ${ofUser}`, 'List the addresses of a user'],
    info: [`GET ${own}/:email_id`, 'Show an address of the current user'],
    create: [`POST ${own}`, 'Add an address to the current user'],
    create_for_user: [`POST ${ofUser}`, 'Add an address to a user'],
    delete: [`DELETE ${own}/:email_id`, 'Delete an address of the current user'],
    delete_of_user: [`DELETE ${ofUser}/:email_id`, 'Delete an address of a user'],
  },
};
