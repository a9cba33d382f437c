import { collection, type Resource } from '../kernel/resource.ts';

const tags = '/projects/:id/repository/tags';

export const tag: Resource = {
  name: 'tag',
  title: 'Repository tags',
  methods: collection(tags, ':tag_name', 'tag', 'a repository', 'update'),
};

export const protectedTag: Resource = {
  name: 'protected_tag',
  title: 'Protected tags',
  description: 'Required access to create tags, by tag name or wildcard.',
  methods: collection(
    '/projects/:id/protected_tags',
    ':name',
    'protected tag',
    'a project',
    'update',
  ),
};

export const release: Resource = {
  name: 'release',
  title: 'Releases',
  methods: {
    create: [`POST ${tags}/:tag_name/release`, 'Create the release of a tag'],
    update: [`PUT ${tags}/:tag_name/release`, 'Update the release of a tag'],
  },
};

const releases = '/projects/:id/releases';

export const projectRelease: Resource = {
  name: 'project_release',
  title: 'Releases with links',
  noun: 'release',
  methods: collection(releases, ':tag_name', 'release', 'a project'),
};

export const releaseLink: Resource = {
  name: 'release_link',
  title: 'Links of releases',
  noun: 'link',
  methods: collection(`${releases}/:tag_name/assets/links`, ':link_id', 'link', 'a release'),
};
