import type { Resource } from './kernel/resource.ts';

const all = '/projects/:id/wikis';
const one = `${all}/:slug` as const;

export const wiki: Resource = {
  name: 'wiki',
  title: 'Wiki pages',
  noun: 'wiki page',
  methods: {
    list: { operation: `GET ${all}`, title: 'List the pages of a wiki' },
    info: { operation: `GET ${one}`, title: 'Show a page of a wiki' },
    create: { operation: `POST ${all}`, title: 'Write a page of a wiki' },
    update: { operation: `PUT ${one}`, title: 'Change a page of a wiki' },
    delete: { operation: `DELETE ${one}`, title: 'Delete a page of a wiki' },
  },
};
