import { findCommit } from '../commits/find.ts';
import { Commit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { base64Of, contentBound, contentCost, rawUrlOf, textOf } from '../repository/blob.ts';
import type { ReadableRepository } from '../repository/types.ts';

/** A file of a commit. */
export interface FileRecord {
  readonly path: string;
  /** The blob's id. */
  readonly id: string;
  readonly size: number;
  /** As git stores it: six digits. */
  readonly mode: string;
  /** The commit that contains it. */
  readonly commitId: string;
  readonly repository: ReadableRepository;
}

const executableMode = '100755';

const blobOf = ({ id: sha, repository }: FileRecord) => ({ sha, repository });

export const File = builder.objectRef<FileRecord>('File').implement({
  description: 'A file of a commit.',
  fields: (t) => ({
    name: t.string({
      description: 'The last segment of the path.',
      resolve: ({ path }) => path.slice(path.lastIndexOf('/') + 1),
    }),
    path: t.exposeString('path', { description: 'The path from the root of the repository.' }),
    size: t.field({
      type: 'ByteCount',
      description: 'The size in bytes.',
      resolve: ({ size }) => size,
    }),
    isExecutable: t.boolean({
      description: 'Whether git marks the file as executable.',
      resolve: ({ mode }) => mode === executableMode,
    }),
    blobId: t.exposeString('id', { description: 'The same as `sha`.', extensions: internal }),
    sha: t.expose('id', {
      type: 'SHA',
      description: 'The id of the content: a blob. Equal files have the same one.',
    }),
    commitId: t.exposeString('commitId', {
      description: 'The id of the commit that the file was read from.',
      extensions: internal,
    }),
    commit: t.field({
      type: Commit,
      description: 'The commit that the file was read from.',
      resolve: ({ repository, commitId }, _args, ctx) => findCommit(repository, commitId, ctx),
    }),
    content: t.string({
      description: `The text, if it is UTF-8. Null for a binary file. ${contentBound}`,
      nullable: true,
      complexity: contentCost,
      resolve: (file, _args, ctx) => textOf(blobOf(file), ctx),
    }),
    base64: t.field({
      type: 'Base64',
      description: `The bytes, text or binary. ${contentBound}`,
      nullable: true,
      complexity: contentCost,
      resolve: (file, _args, ctx) => base64Of(blobOf(file), ctx),
    }),
    rawUrl: t.field({
      type: 'URL',
      description: 'The address of the bytes, of any size, for a request with the same token.',
      resolve: (file, _args, ctx) => rawUrlOf(blobOf(file), ctx),
    }),
    lastCommitSha: t.string({
      description: 'The id of the last commit that changed the file. Null after 60 s of search.',
      nullable: true,
      extensions: internal,
      complexity: walkCost,
      resolve: ({ repository, commitId, path }, _args, { git, request }) =>
        git.lastCommitOf(repository, commitId, path, request.signal),
    }),
    lastCommit: t.field({
      type: Commit,
      description:
        'The last commit that changed the file. Null if it is not found within 60 s in a long history.',
      nullable: true,
      complexity: walkCost,
      resolve: async ({ repository, commitId, path }, _args, ctx) => {
        const { git, request } = ctx;
        const id = await git.lastCommitOf(repository, commitId, path, request.signal);
        return id === null ? null : findCommit(repository, id, ctx);
      },
    }),
  }),
});
