import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { commitOf } from '../repository/commit-of.ts';
import { sizeOfTreeBlob } from '../repository/tree-blob.ts';
import { Repository } from '../repository/types.ts';
import { File } from './types.ts';

builder.objectField(Repository, 'file', (t) =>
  t.field({
    type: File,
    description: 'A file of a commit. An error NOT_FOUND if the commit or the file does not exist.',
    extensions: publiclyNullable,
    complexity: statementCost,
    args: {
      ref: t.arg.string({
        description: 'A branch, a tag or a commit id. Default: the default branch.',
      }),
      path: t.arg.string({ required: true, description: 'The path from the root.' }),
    },
    resolve: async (repository, { ref, path }, { git }) => {
      const commitId = await commitOf(repository, ref, git);
      if (commitId === null) throw notFound('Commit');
      const entry = await git.entryAt(repository, commitId, path);
      if (entry?.type !== 'blob') throw notFound('File');
      const size = await sizeOfTreeBlob(repository, entry.id, { git });
      return { path, id: entry.id, mode: entry.mode, size, commitId, repository };
    },
  }),
);
