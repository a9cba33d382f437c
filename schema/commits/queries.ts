import { builder } from '../kernel/builder.ts';
import { processCost, statementCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { trimEdges } from '../kernel/trim.ts';
import {
  asLazyPage,
  type LazyPage,
  listingCost,
  loadedPage,
  offsetPageInfo,
  pageArgs,
  rowsOf,
} from '../listing/page.ts';
import { lazyPageType } from '../listing/page-types.ts';
import { commitOf } from '../repository/commit-of.ts';
import { Repository } from '../repository/types.ts';
import { findCommit } from './find.ts';
import { Commit, type ProjectCommit } from './types.ts';

export const CommitPage = lazyPageType('Commit', Commit);

builder.objectFields(Repository, (t) => ({
  commits: t.field({
    type: CommitPage,
    description:
      'The commits that are reachable from a branch, tag or commit, newest first. Empty for an empty repository.',
    extensions: publiclyNullable,
    complexity: (page) => ({ ...listingCost(page), field: processCost }),
    args: {
      ...pageArgs,
      ref: t.arg.string({
        description: 'A branch, a tag or a commit id. Default: the default branch.',
      }),
      path: t.arg.string({
        description: 'Only commits that changed this file or folder, a path from the root.',
      }),
      since: t.arg({
        type: 'DateTime',
        description: 'Only commits with a committer date at or after this time.',
      }),
      until: t.arg({
        type: 'DateTime',
        description: 'Only commits with a committer date at or before this time.',
      }),
      isAll: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to list the commits of all branches and tags; `ref` is then ignored.',
      }),
    },
    resolve: async (
      repository,
      { ref, path, since, until, isAll, ...page },
      ctx,
    ): Promise<LazyPage<ProjectCommit>> => {
      const { git, request } = ctx;
      const from = isAll ? 'all' : await commitOf(repository, ref || null, git);
      if (!from && ref) throw notFound('Commit');
      if (!from) return asLazyPage(loadedPage([], 0, page));
      const { skip: offset, take: limit } = rowsOf(page);
      const range = {
        from,
        path: trimEdges(path ?? '', /\//),
        since: since ?? null,
        until: until ?? null,
      };
      let listed: Promise<readonly string[]> | null = null;
      // one commit more tells whether a page follows, without counting the whole history
      const idsOn = () => {
        listed ??= git.log(repository, { ...range, offset, limit: limit + 1 }, request.signal);
        return listed;
      };
      return {
        nodes: async () => {
          const commits = await git.commits(repository, (await idsOn()).slice(0, limit));
          return commits.map((commit) => ({ ...commit, repository }));
        },
        total: () => git.logTotal(repository, range, request.signal),
        pageInfo: async () => {
          const { length } = await idsOn();
          return offsetPageInfo(offset, Math.min(length, limit), length > limit);
        },
      };
    },
  }),
  commit: t.field({
    type: Commit,
    description: 'A single commit. An error NOT_FOUND if there is none.',
    extensions: publiclyNullable,
    complexity: statementCost,
    args: {
      ref: t.arg.string({
        required: true,
        description: 'A branch, a tag, or a full or short commit id.',
      }),
    },
    resolve: (repository, { ref }, ctx) => findCommit(repository, ref, ctx),
  }),
}));
