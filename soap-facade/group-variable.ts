import type { Resource } from './kernel/resource.ts';

const all = '/groups/:id/variables';
const one = `${all}/:key` as const;

export const groupVariable: Resource = {
  name: 'group_variable',
  title: 'Variables of groups',
  noun: 'variable',
  methods: {
    list: { operation: `GET ${all}`, title: 'List the variables of a group' },
    info: { operation: `GET ${one}`, title: 'Show a variable of a group' },
    create: { operation: `POST ${all}`, title: 'Create a variable of a group' },
    update: { operation: `PUT ${one}`, title: 'Change a variable of a group' },
    delete: { operation: `DELETE ${one}`, title: 'Delete a variable of a group' },
  },
};
