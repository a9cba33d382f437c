import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { notFound, refuseFaults } from '../kernel/errors.ts';
import { tooLong } from '../kernel/lengths.ts';
import { internal } from '../kernel/public.ts';
import { longestSearch } from '../kernel/search.ts';
import { commitOf } from '../repository/commit-of.ts';
import { Repository } from '../repository/types.ts';

/** Paths in a response; one more than a page shows tells it that there are others. */
const most = 101;

builder.objectField(Repository, 'filePaths', (t) =>
  t.stringList({
    description: `The paths of at most ${most} files of a commit, the best matches first. An error NOT_FOUND if there is no such commit.`,
    extensions: internal,
    complexity: walkCost,
    args: {
      ref: t.arg.string({ required: true, description: 'A branch, a tag or a commit id.' }),
      search: t.arg.string({
        required: true,
        description: 'Words that each path contains, in any case and order.',
      }),
    },
    resolve: async (repository, { ref, search }, { git, request }) => {
      refuseFaults({ search: tooLong(search, longestSearch) });
      const commit = await commitOf(repository, ref, git);
      if (commit === null) throw notFound('Commit');
      const words = search.split(/\s+/).filter((word) => word !== '');
      return [...(await git.findPaths(repository, { commit, words, limit: most }, request.signal))];
    },
  }),
);
