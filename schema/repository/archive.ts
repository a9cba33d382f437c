import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { commitOf } from './commit-of.ts';
import { Repository } from './types.ts';

/** The data of an archive; its bytes are streamed outside GraphQL (ADR 5). */
export interface ArchiveRecord {
  readonly commit: string;
  readonly name: string;
}

const Archive = builder.objectRef<ArchiveRecord>('Archive').implement({
  fields: (t) => ({
    commit: t.exposeString('commit'),
    /** The name of its top-level folder, and of the file without the extension. */
    name: t.exposeString('name'),
  }),
});

builder.objectField(Repository, 'archive', (t) =>
  t.field({
    type: Archive,
    complexity: statementCost,
    args: {
      /** A branch, a tag or a commit; defaults to the default branch. */
      ref: t.arg.string(),
    },
    resolve: async (repository, { ref }, { git }): Promise<ArchiveRecord> => {
      const commit = await commitOf(repository, ref, git);
      if (!commit) throw notFound('File');
      const named = (ref ?? repository.defaultBranch ?? 'HEAD').replaceAll('/', '-');
      return { commit, name: `${repository.path}-${named}-${commit}` };
    },
  }),
);
