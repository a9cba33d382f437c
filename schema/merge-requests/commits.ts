import { CommitPage } from '../commits/queries.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { listingCost, loadedPage, pageArgs, rowsOf } from '../listing/page.ts';
import { rangeOf } from './range.ts';
import { MergeRequest } from './types.ts';

/** The newest commits up to this number are listed, as in a comparison. */
export const mostCommits = 5_000;

builder.objectField(MergeRequest, 'commits', (t) =>
  t.field({
    type: CommitPage,
    description:
      'The commits that the merge adds to the target branch, the newest first: at most 5,000. After the merge, those that it added.',
    complexity: listingCost,
    args: pageArgs,
    resolve: async ({ id, sha }, page, ctx: Context) => {
      const { repository, head, base } = await rangeOf({ id, sha }, ctx);
      if (head === null || base === undefined) return loadedPage([], 0, page);
      const { git, request } = ctx;
      const commits = { head, without: base === null ? [] : [base] };
      const { ids } = await git.commitsToMerge(repository, commits, mostCommits, request.signal);
      const { skip, take } = rowsOf(page);
      const listed = await git.commits(repository, ids.slice(skip, skip + take));
      const nodes = listed.map((commit) => ({ ...commit, repository }));
      return loadedPage(nodes, ids.length, page);
    },
  }),
);
