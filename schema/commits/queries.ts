import { builder } from '../kernel/builder.ts';
import { processCost, statementCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { trimEdges } from '../kernel/trim.ts';
import { listingCost, loadedPage, pageArgs, rowsOf } from '../listing/page.ts';
import { loadedPageType } from '../listing/page-types.ts';
import { commitOf } from '../repository/commit-of.ts';
import { Repository } from '../repository/types.ts';
import { findCommit } from './find.ts';
import { Commit } from './types.ts';

export const CommitPage = loadedPageType('Commit', Commit);

builder.objectFields(Repository, (t) => ({
  commits: t.field({
    type: CommitPage,
    description: 'What lies behind a commit, the newest first; a repository without any has none.',
    complexity: (page) => ({ ...listingCost(page), field: processCost }),
    args: {
      ...pageArgs,
      /** A branch, a tag or a commit; defaults to the default branch. */
      ref: t.arg.string(),
      /** Only commits that changed this path from the root. */
      path: t.arg.string(),
      /** Only commits in this period, both ends included. */
      since: t.arg({ type: 'DateTime' }),
      until: t.arg({ type: 'DateTime' }),
      /** Of all branches and tags. */
      isAll: t.arg.boolean({ defaultValue: false }),
    },
    resolve: async (repository, { ref, path, since, until, isAll, ...page }, ctx) => {
      const { git, request } = ctx;
      const from = isAll ? 'all' : await commitOf(repository, ref || null, git);
      if (!from && ref) throw notFound('Commit');
      if (!from) return loadedPage([], 0, page);
      const { skip: offset, take: limit } = rowsOf(page);
      const query = {
        from,
        path: trimEdges(path ?? '', /\//),
        since: since ?? null,
        until: until ?? null,
        offset,
        limit,
      };
      const { ids, total } = await git.log(repository, query, request.signal);
      const commits = await git.commits(repository, ids);
      const nodes = commits.map((commit) => ({ ...commit, repository }));
      return loadedPage(nodes, total, page);
    },
  }),
  commit: t.field({
    type: Commit,
    complexity: statementCost,
    args: {
      /** A branch, a tag or a commit. */
      ref: t.arg.string({ required: true }),
    },
    resolve: (repository, { ref }, ctx) => findCommit(repository, ref, ctx),
  }),
}));
