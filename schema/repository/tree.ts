import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { processCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { publiclyNullable } from '../kernel/public.ts';
import {
  listingCost,
  loadedPage,
  type Page,
  type PageArgs,
  pageArgs,
  rowsOf,
} from '../listing/page.ts';
import type { ProjectRepository } from './change-refs.ts';
import { commitOf } from './commit-of.ts';
import { type CommitTreeEntry, Repository, TreePage } from './types.ts';

/** The arguments of a listing of a folder. */
export const folderArgs = builder.args((t) => ({
  path: t.string({
    description: 'A folder, as a path from the root. Default: the root.',
  }),
  isRecursive: t.boolean({
    defaultValue: false,
    description: 'Whether to list the entries of all subfolders as well.',
  }),
}));

interface Folder extends PageArgs {
  readonly path?: string | null | undefined;
  readonly isRecursive?: boolean | null | undefined;
}

/** What a listing of a folder costs beside its rows. */
export const folderCost = (page: PageArgs) => ({ ...listingCost(page), field: processCost });

/** A page of a folder of a commit; throws if the commit does not exist. */
export async function listFolder(
  repository: ProjectRepository,
  commitId: string,
  { path, isRecursive, ...page }: Folder,
  { git }: Pick<Context, 'git'>,
): Promise<Page<CommitTreeEntry>> {
  const { skip: offset, take: limit } = rowsOf(page);
  const tree = await git.tree(repository, {
    sha: commitId,
    path: path ?? '',
    isRecursive: isRecursive ?? false,
    offset,
    limit,
  });
  if (!tree) throw notFound('Tree');
  const nodes = tree.entries.map((entry) => ({ ...entry, repository, commitId }));
  return loadedPage(nodes, tree.total, page);
}

builder.objectField(Repository, 'tree', (t) =>
  t.field({
    type: TreePage,
    description:
      'The entries of a folder: folders first, then files, then submodules, each in the byte order of their names. An error NOT_FOUND if the repository has no such commit or folder.',
    extensions: publiclyNullable,
    complexity: folderCost,
    args: {
      ...pageArgs,
      ref: t.arg.string({
        description: 'A branch, a tag or a commit id. Default: the default branch.',
      }),
      ...folderArgs,
    },
    resolve: async (repository, { ref, ...folder }, ctx) => {
      const commitId = await commitOf(repository, ref, ctx.git);
      if (commitId === null) throw notFound('Tree');
      return listFolder(repository, commitId, folder, ctx);
    },
  }),
);
