import { collection, type Resource } from '../kernel/resource.ts';

const all = '/users/:id/impersonation_tokens';
const path = `${all}/:impersonation_token_id` as const;

export const impersonationToken: Resource = {
  name: 'impersonation_token',
  title: 'Impersonation tokens',
  methods: {
    ...collection(all, ':impersonation_token_id', 'impersonation token', 'a user', 'update'),
    delete: [`DELETE ${path}`, 'Revoke an impersonation token of a user'],
  },
};
