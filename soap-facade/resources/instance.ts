import type { Path, Resource } from '../kernel/resource.ts';

export const settings: Resource = {
  name: 'settings',
  aliases: ['application_settings'],
  title: 'Application settings',
  methods: {
    info: ['GET /application/settings', 'Show the settings'],
    update: ['PUT /application/settings', 'Update the settings'],
  },
};

export const version: Resource = {
  name: 'version',
  title: 'Version of the service',
  methods: { info: ['GET /version', 'Show the version'] },
};

const templatesOf = (
  name: string,
  title: string,
  path: Path,
  noun: string,
  nouns: string,
): Resource => ({
  name,
  title,
  methods: {
    list: [`GET ${path}`, `List the ${nouns}`],
    info: [`GET ${path}/:key`, `Show a ${noun}`],
  },
});

/** Files that new projects start from. */
export const templates: readonly Resource[] = [
  templatesOf('license_template', 'Licences', '/templates/licenses', 'licence', 'licences'),
  templatesOf(
    'gitignore_template',
    'Templates of .gitignore',
    '/templates/gitignores',
    'template of .gitignore',
    'templates of .gitignore',
  ),
  templatesOf(
    'ci_template',
    'Templates of CI files',
    '/templates/gitlab_ci_ymls',
    'template of CI files',
    'templates of CI files',
  ),
  templatesOf(
    'dockerfile_template',
    'Templates of Dockerfiles',
    '/templates/dockerfiles',
    'template of Dockerfiles',
    'templates of Dockerfiles',
  ),
];

export const search: Resource = {
  name: 'search',
  title: 'Search',
  description: 'Searches for a text. The form of the results depends on `scope`.',
  methods: {
    list: ['GET /search', 'Search everything'],
    group: ['GET /groups/:id/search', 'Search a group'],
    project: ['GET /projects/:id/search', 'Search a project'],
  },
};
