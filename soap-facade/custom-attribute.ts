import type { Resource } from './kernel/resource.ts';

const all = '/users/:id/custom_attributes';
const one = `${all}/:key` as const;

export const customAttribute: Resource = {
  name: 'custom_attribute',
  title: 'Custom attributes of users',
  noun: 'attribute',
  methods: {
    list: { operation: `GET ${all}`, title: 'List the attributes of a user' },
    info: { operation: `GET ${one}`, title: 'Show an attribute of a user' },
    update: {
      operation: `PUT ${one}`,
      title: 'Set an attribute of a user',
      description: 'It is created where it is not there.',
    },
    delete: { operation: `DELETE ${one}`, title: 'Delete an attribute of a user' },
  },
};
