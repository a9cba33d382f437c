import type { Resource } from './kernel/resource.ts';

const all = '/projects/:id/repository/tags';
const one = `${all}/:tag_name` as const;

export const tag: Resource = {
  name: 'tag',
  title: 'Repository tags',
  noun: 'tag',
  methods: {
    list: { operation: `GET ${all}`, title: 'List the tags of a repository' },
    info: { operation: `GET ${one}`, title: 'Show a tag' },
    create: { operation: `POST ${all}`, title: 'Create a tag' },
    delete: { operation: `DELETE ${one}`, title: 'Delete a tag' },
  },
};

export const release: Resource = {
  name: 'release',
  title: 'Releases',
  noun: 'release',
  methods: {
    create: { operation: `POST ${one}/release`, title: 'Say of a tag what it releases' },
    update: { operation: `PUT ${one}/release`, title: 'Change what a tag releases' },
  },
};
