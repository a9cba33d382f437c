import type { Release } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';

interface Archive {
  readonly format: string;
  readonly url: string;
}

const formats = ['zip', 'tar.gz', 'tar.bz2', 'tar'] as const;

/** The archives of the code of a release, as the REST API serves them. */
export const archivesOf = (
  { projectId, tagName }: Pick<Release, 'projectId' | 'tagName'>,
  baseUrl: string,
): Archive[] =>
  formats.map((format) => {
    const sha = encodeURIComponent(tagName);
    const path = `projects/${projectId}/repository/archive.${format}?sha=${sha}`;
    return { format, url: `${baseUrl}/api/v4/${path}` };
  });

export const ReleaseSource = builder.objectRef<Archive>('ReleaseSource').implement({
  description: 'An archive of the code of a release.',
  fields: (t) => ({
    format: t.exposeString('format', {
      description: 'The format: `zip`, `tar.gz`, `tar.bz2` or `tar`.',
    }),
    url: t.field({
      type: 'URL',
      description: 'The address for users who may read the code.',
      resolve: ({ url }) => url,
    }),
  }),
});
