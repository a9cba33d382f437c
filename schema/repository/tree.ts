import { builder } from '../kernel/builder.ts';
import { processCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { listingCost, loadedPage, pageArgs, rowsOf } from '../listing/page.ts';
import { commitOf } from './commit-of.ts';
import { Repository, TreePage } from './types.ts';

builder.objectField(Repository, 'tree', (t) =>
  t.field({
    type: TreePage,
    complexity: (page) => ({ ...listingCost(page), field: processCost }),
    args: {
      ...pageArgs,
      /** A branch, a tag or a commit; defaults to the default branch. */
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
      return loadedPage(tree.entries, tree.total, page);
    },
  }),
);
