import type { Resource } from './kernel/resource.ts';

const below = '/projects/:id/repository';

export const repository: Resource = {
  name: 'repository',
  title: 'Repositories',
  description: 'What was committed to a project. Files come as Base64, up to 8 megabytes.',
  noun: 'repository',
  methods: {
    tree: { operation: `GET ${below}/tree`, title: 'List the files of a folder' },
    blob: { operation: `GET ${below}/blobs/:sha`, title: 'Show a file, and what it holds' },
    raw: { operation: `GET ${below}/blobs/:sha/raw`, title: 'Get what a file holds' },
    archive: {
      operation: `GET ${below}/archive`,
      title: 'Get all files as an archive',
      description: 'A format may be named: tar, tar.gz, tar.bz2 or zip.',
    },
    compare: { operation: `GET ${below}/compare`, title: 'Compare two commits' },
    contributors: { operation: `GET ${below}/contributors`, title: 'List who contributed' },
  },
};
