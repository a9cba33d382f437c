import { collection, type Resource } from '../kernel/resource.ts';

export const wiki: Resource = {
  name: 'wiki',
  title: 'Wiki pages',
  noun: 'wiki page',
  methods: collection('/projects/:id/wikis', ':slug', 'wiki page', 'a project'),
};
