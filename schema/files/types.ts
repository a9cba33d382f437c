import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import type { ReadableRepository } from '../repository/types.ts';

/** A file of a commit. */
export interface FileRecord {
  readonly path: string;
  /** The blob's id. */
  readonly id: string;
  readonly size: number;
  /** The commit that contains it. */
  readonly commitId: string;
  readonly repository: ReadableRepository;
}

export const File = builder.objectRef<FileRecord>('File').implement({
  fields: (t) => ({
    name: t.string({ resolve: ({ path }) => path.slice(path.lastIndexOf('/') + 1) }),
    path: t.exposeString('path'),
    size: t.field({ type: 'ByteCount', resolve: ({ size }) => size }),
    blobId: t.exposeString('id'),
    commitId: t.exposeString('commitId'),
    /** The last commit that changed it; a long history may have to be walked. */
    lastCommitId: t.string({
      nullable: true,
      complexity: walkCost,
      resolve: ({ repository, commitId, path }, _args, { git, request }) =>
        git.lastCommitOf(repository, commitId, path, request.signal),
    }),
  }),
});
