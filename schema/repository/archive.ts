import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { internal, publiclyNullable } from '../kernel/public.ts';
import { commitOf } from './commit-of.ts';
import { Repository } from './types.ts';

/** The data of an archive; its bytes are streamed outside GraphQL (ADR 5). */
export interface ArchiveRecord {
  readonly commit: string;
  readonly name: string;
  /** The project's id. */
  readonly projectId: number;
}

const ArchiveFormat = builder.enumType('ArchiveFormat', {
  description: 'The file format of an archive.',
  values: {
    tar: { description: 'An uncompressed tar archive.' },
    tar_gz: { value: 'tar.gz', description: 'A tar archive compressed by gzip.' },
    tar_bz2: {
      value: 'tar.bz2',
      description: 'A tar archive compressed by bzip2. Some servers do not offer it.',
    },
    zip: { description: 'A ZIP archive.' },
  } as const,
});

const Archive = builder.objectRef<ArchiveRecord>('Archive').implement({
  description: 'All files of a commit, as one file to download.',
  fields: (t) => ({
    commit: t.exposeString('commit', { description: 'The same as `sha`.', extensions: internal }),
    sha: t.expose('commit', { type: 'SHA', description: 'The id of the commit.' }),
    name: t.exposeString('name', {
      description: 'The name of the top-level folder, and of the file without its extension.',
    }),
    url: t.field({
      type: 'URL',
      description: 'The address of the file, for a request with the same token.',
      args: {
        format: t.arg({
          type: ArchiveFormat,
          defaultValue: 'tar.gz',
          description: 'The file format.',
        }),
      },
      resolve: ({ projectId, commit }, { format }, { baseUrl }) =>
        `${baseUrl}/api/v4/projects/${projectId}/repository/archive.${format ?? 'tar.gz'}?sha=${commit}`,
    }),
  }),
});

builder.objectField(Repository, 'archive', (t) =>
  t.field({
    type: Archive,
    description: 'The archive of a commit. An error NOT_FOUND if there is no such commit.',
    extensions: publiclyNullable,
    complexity: statementCost,
    args: {
      ref: t.arg.string({
        description: 'A branch, a tag or a commit id. Default: the default branch.',
      }),
    },
    resolve: async (repository, { ref }, { git }): Promise<ArchiveRecord> => {
      const commit = await commitOf(repository, ref, git);
      if (!commit) throw notFound('File');
      const named = (ref ?? repository.defaultBranch ?? 'HEAD').replaceAll('/', '-');
      return { commit, name: `${repository.path}-${named}-${commit}`, projectId: repository.id };
    },
  }),
);
