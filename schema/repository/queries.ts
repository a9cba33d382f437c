import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import { listingCost, pageArgs, rowsOf } from '../kernel/page.ts';
import { findProject } from '../projects/find.ts';
import { canDownloadCode } from '../projects/policy.ts';
import { type BlobRecord, type ReadableRepository, TreePage } from './types.ts';

/** A blob above this is no part of a document: it is read by REST, which streams. */
const largestInline = 256 * 1024;

/** Three contents are a document's whole budget: each is held several times over on its way out. */
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
        if (!content) throw invalid({ blob: ['is too large to be shown; read it raw'] });
        return content.toString('base64');
      },
    }),
  }),
});

const Repository = builder.objectRef<ReadableRepository>('Repository').implement({
  description: 'The code of a project, for those who may read it.',
  fields: (t) => ({
    /** The project whose code it is. */
    projectId: t.int({ resolve: ({ id }) => id }),
    tree: t.field({
      type: TreePage,
      complexity: listingCost,
      args: {
        ...pageArgs,
        /** A branch, a tag or a commit; the default branch when left out. */
        ref: t.arg.string(),
        /** A folder from the root. */
        path: t.arg.string(),
        isRecursive: t.arg.boolean({ defaultValue: false }),
      },
      resolve: async (repository, { ref, path, isRecursive, ...page }, { git }) => {
        const sha = await commitOf(repository, ref, git);
        const { skip: offset, take: limit } = rowsOf(page);
        const tree =
          sha &&
          (await git.tree(repository, {
            sha,
            path: path ?? '',
            isRecursive: isRecursive ?? false,
            offset,
            limit,
          }));
        if (!tree) throw notFound('Tree');
        return tree;
      },
    }),
    blob: t.field({
      type: Blob,
      args: {
        /** A blob's id; or, together with `path`, a commit, branch or tag. */
        sha: t.arg.string({ required: true }),
        path: t.arg.string(),
      },
      resolve: async (repository, { sha, path }, { git }) => {
        const id = path ? await blobAt(repository, sha, path, git) : sha;
        const size = id && (await git.blobSize(repository, id));
        if (!id || typeof size !== 'number') throw notFound('Blob');
        return { sha: id, size, repository };
      },
    }),
  }),
});

builder.queryField('repository', (t) =>
  t.field({
    type: Repository,
    args: { project: t.arg.id({ required: true }) },
    resolve: (_root, { project }, ctx) => findProject(project, ctx, canDownloadCode),
  }),
);

const commitOf = (
  repository: ReadableRepository,
  ref: string | null | undefined,
  git: Context['git'],
): Promise<string | null> =>
  git.resolveCommit(repository, ref ?? repository.defaultBranch ?? 'HEAD');

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
