import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import { sizeOfTreeBlob } from './tree-blob.ts';
import { type BlobRecord, type ReadableRepository, Repository } from './types.ts';

/** A larger blob is not available in a document; REST streams it. */
const largestInline = 256 * 1024;

/**
 * Three contents use up a document's budget, because each is copied several times while it is sent.
 */
const contentCost = 6000;

const Blob = builder.objectRef<BlobRecord>('Blob').implement({
  fields: (t) => ({
    sha: t.exposeString('sha'),
    size: t.field({ type: 'ByteCount', resolve: ({ size }) => size }),
    /** The content in Base64, up to 256 KiB. */
    content: t.string({
      complexity: contentCost,
      resolve: async ({ repository, sha }, _args, { git }) => {
        const content = await git.readBlob(repository, sha, largestInline);
        if (!content) throw invalid({ base: ['is too large to be shown; read it raw'] });
        return content.toString('base64');
      },
    }),
  }),
});

builder.objectField(Repository, 'blob', (t) =>
  t.field({
    type: Blob,
    complexity: statementCost,
    args: {
      /** A blob's id; or, together with `path`, a commit, branch or tag. */
      sha: t.arg.string({ required: true }),
      path: t.arg.string(),
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
