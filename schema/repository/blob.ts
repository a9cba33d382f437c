import { isUtf8 } from 'node:buffer';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import { internal, publiclyNullable, publiclyTyped } from '../kernel/public.ts';
import { sizeOfTreeBlob } from './tree-blob.ts';
import { type BlobRecord, type ReadableRepository, Repository, TreeEntry } from './types.ts';

/** A larger blob is not available in a document; REST streams it. */
const largestInline = 256 * 1024;

/**
 * The cost of a content: three use up a document's budget, because each is copied several times
 * while it is sent.
 */
export const contentCost = 6000;

/** What the fields of a content do with a larger one, for their descriptions. */
export const contentBound = 'An error BAD_USER_INPUT above 256 KiB: read `rawUrl` instead.';

async function readContent(
  { repository, sha }: Omit<BlobRecord, 'size'>,
  { git }: Pick<Context, 'git'>,
): Promise<Buffer> {
  const content = await git.readBlob(repository, sha, largestInline);
  if (!content) throw invalid({ base: ['is too large to be shown; read it raw'] });
  return content;
}

/** The text of a blob; null for a binary one. Throws if it is too large for a document. */
export async function textOf(
  blob: Omit<BlobRecord, 'size'>,
  ctx: Pick<Context, 'git'>,
): Promise<string | null> {
  const content = await readContent(blob, ctx);
  // as git, which takes a file with a NUL for binary
  return content.includes(0) || !isUtf8(content) ? null : content.toString();
}

/** The content of a blob in Base64; throws if it is too large for a document. */
export const base64Of = async (
  blob: Omit<BlobRecord, 'size'>,
  ctx: Pick<Context, 'git'>,
): Promise<string> => (await readContent(blob, ctx)).toString('base64');

/** The URL that streams a blob of any size. */
export const rawUrlOf = (
  { repository, sha }: Omit<BlobRecord, 'size'>,
  { baseUrl }: Pick<Context, 'baseUrl'>,
): string => `${baseUrl}/api/v4/projects/${repository.id}/repository/blobs/${sha}/raw`;

const Blob = builder.objectRef<BlobRecord>('Blob').implement({
  description: 'The content of a file, without a name.',
  fields: (t) => ({
    sha: t.expose('sha', { type: 'SHA', description: 'The id of the blob.' }),
    size: t.field({
      type: 'ByteCount',
      description: 'The size in bytes.',
      resolve: ({ size }) => size,
    }),
    content: t.string({
      description: `The text, if it is UTF-8. Null for binary data. ${contentBound}`,
      nullable: true,
      complexity: contentCost,
      resolve: (blob, _args, ctx) => textOf(blob, ctx),
    }),
    base64: t.field({
      type: 'Base64',
      description: `The bytes, text or binary. ${contentBound}`,
      nullable: true,
      complexity: contentCost,
      resolve: (blob, _args, ctx) => base64Of(blob, ctx),
    }),
    rawUrl: t.field({
      type: 'URL',
      description: 'The address of the bytes, of any size, for a request with the same token.',
      resolve: (blob, _args, ctx) => rawUrlOf(blob, ctx),
    }),
  }),
});

builder.objectField(TreeEntry, 'blob', (t) =>
  t.field({
    type: Blob,
    description: 'The content of a file. Null for folders and submodules.',
    nullable: true,
    complexity: statementCost,
    resolve: async ({ type, id: sha, repository }, _args, ctx) =>
      type === 'blob'
        ? { sha, size: await sizeOfTreeBlob(repository, sha, ctx), repository }
        : null,
  }),
);

builder.objectField(Repository, 'blob', (t) =>
  t.field({
    type: Blob,
    description: 'The content with an id. An error NOT_FOUND if there is none.',
    extensions: publiclyNullable,
    complexity: statementCost,
    args: {
      sha: t.arg.string({
        required: true,
        description: 'The id of the blob.',
        extensions: publiclyTyped('SHA'),
      }),
      // with a path, `sha` is a branch, a tag or a commit
      path: t.arg.string({ extensions: internal }),
    },
    resolve: async (repository, { sha, path }, { git }) => {
      const id = path ? await blobAt(repository, sha, path, git) : sha;
      if (id === null) throw notFound('Blob');
      if (path) return { sha: id, size: await sizeOfTreeBlob(repository, id, { git }), repository };
      const size = await git.blobSize(repository, id);
      if (size === null) throw notFound('Blob');
      return { sha: id, size, repository };
    },
  }),
);

async function blobAt(
  repository: ReadableRepository,
  ref: string,
  path: string,
  git: Context['git'],
): Promise<string | null> {
  const sha = await git.resolveCommit(repository, ref);
  const entry = sha && (await git.entryAt(repository, sha, path));
  return entry && entry.type === 'blob' ? entry.id : null;
}

/** How many sizes a document may ask for. */
const mostSizes = 400;

builder.objectField(Repository, 'blobSizes', (t) =>
  t.field({
    type: ['ByteCount'],
    nullable: { items: true, list: false },
    description: `The sizes of contents by their ids; null where there is none. At most ${mostSizes}.`,
    extensions: internal,
    complexity: { field: statementCost, multiplier: 10 },
    args: { shas: t.arg.stringList({ required: true, description: 'The ids of the contents.' }) },
    resolve: (repository, { shas }, { git }) =>
      Promise.all(shas.slice(0, mostSizes).map((sha) => git.blobSize(repository, sha))),
  }),
);
