import type { Resource } from './kernel/resource.ts';

const all = '/users/:id/impersonation_tokens';
const one = `${all}/:impersonation_token_id` as const;

export const impersonationToken: Resource = {
  name: 'impersonation_token',
  title: 'Impersonation tokens',
  noun: 'impersonation token',
  methods: {
    list: { operation: `GET ${all}`, title: 'List the impersonation tokens of a user' },
    info: { operation: `GET ${one}`, title: 'Show an impersonation token' },
    create: { operation: `POST ${all}`, title: 'Create an impersonation token' },
    delete: { operation: `DELETE ${one}`, title: 'Revoke an impersonation token' },
  },
};
