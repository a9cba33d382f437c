import type { Resource } from '../kernel/resource.ts';

const below = '/projects/:id/repository';

export const repository: Resource = {
  name: 'repository',
  title: 'Repositories',
  description: 'The commits of a project. Results contain files as Base64, up to 8 megabytes.',
  methods: {
    tree: [`GET ${below}/tree`, 'List the files of a directory'],
    blob: [`GET ${below}/blobs/:sha`, 'Show a blob and its content'],
    raw: [`GET ${below}/blobs/:sha/raw`, 'Get the content of a blob'],
    archive: [
      `GET ${below}/archive`,
      'Get all files as an archive',
      'Formats: tar, tar.gz, tar.bz2 and zip.',
    ],
    compare: [`GET ${below}/compare`, 'Compare two commits'],
    contributors: [`GET ${below}/contributors`, 'List the contributors'],
    merge_base: [`GET ${below}/merge_base`, 'Show the merge base of two commits'],
  },
};
