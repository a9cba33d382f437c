import { collection, type Resource } from './kernel/resource.ts';

const tags = '/projects/:id/repository/tags';

export const tag: Resource = {
  name: 'tag',
  title: 'Repository tags',
  methods: collection(tags, ':tag_name', 'tag', 'a repository', 'update'),
};

export const release: Resource = {
  name: 'release',
  title: 'Releases',
  methods: {
    create: [`POST ${tags}/:tag_name/release`, 'Create the release of a tag'],
    update: [`PUT ${tags}/:tag_name/release`, 'Update the release of a tag'],
  },
};
