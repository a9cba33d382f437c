import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { sizeOfTreeBlob } from '../repository/tree-blob.ts';
import { Repository } from '../repository/types.ts';
import { File } from './types.ts';

builder.objectField(Repository, 'file', (t) =>
  t.field({
    type: File,
    complexity: statementCost,
    args: {
      /** A branch, a tag or a commit. */
      ref: t.arg.string({ required: true }),
      path: t.arg.string({ required: true }),
    },
    resolve: async (repository, { ref, path }, { git }) => {
      const commitId = await git.resolveCommit(repository, ref);
      if (commitId === null) throw notFound('Commit');
      const entry = await git.entryAt(repository, commitId, path);
      if (entry?.type !== 'blob') throw notFound('File');
      const size = await sizeOfTreeBlob(repository, entry.id, { git });
      return { path, id: entry.id, size, commitId, repository };
    },
  }),
);
