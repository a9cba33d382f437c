import { builder } from '../kernel/builder.ts';
import { processCost, statementCost, walkCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { searchText } from '../kernel/search.ts';
import { trimEdges } from '../kernel/trim.ts';
import {
  listingCost,
  loadedPage,
  offsetPageInfo,
  type Page,
  pageArgs,
  rowsOf,
} from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { commitOf } from '../repository/commit-of.ts';
import { Repository } from '../repository/types.ts';
import { findCommit } from './find.ts';
import { Commit, type ProjectCommit } from './types.ts';

export const CommitPage = pageType('Commit', Commit);

const CommitFilter = builder.inputType('CommitFilter', {
  description:
    'Which commits a listing has: those that match all fields. Where the history starts is no filter but the argument `ref`, as of a tree or a file.',
  fields: (t) => ({
    path: t.string({
      description: 'Only commits that changed this file or folder, a path from the root.',
    }),
    search: t.string({
      description:
        'Only commits whose message contains this text, in any case; 2 to 255 characters. An error if the search takes more than 10 s.',
    }),
    since: t.field({
      type: 'DateTime',
      description: 'Only commits with a committer date at this time or later.',
    }),
    until: t.field({
      type: 'DateTime',
      description: 'Only commits with a committer date at this time or earlier.',
    }),
    includesAllRefs: t.boolean({
      defaultValue: false,
      description: 'Whether to list the commits of all branches and tags; `ref` is then ignored.',
    }),
  }),
});

builder.objectFields(Repository, (t) => ({
  commits: t.field({
    type: CommitPage,
    description:
      'The commits that are reachable from a branch, tag or commit, newest first. Empty for an empty repository; an error NOT_FOUND if there is no such branch, tag or commit.',
    extensions: publiclyNullable,
    complexity: ({ filter, ...page }) => ({
      ...listingCost(page),
      field: filter?.search ? walkCost : processCost,
    }),
    args: {
      ...pageArgs,
      ref: t.arg.string({
        description: 'A branch, a tag or a commit id. Default: the default branch.',
      }),
      filter: t.arg({ type: CommitFilter, description: 'Which of these commits are listed.' }),
    },
    resolve: async (repository, { ref, filter, ...page }, ctx): Promise<Page<ProjectCommit>> => {
      const { git, request } = ctx;
      const { path, search, since, until, includesAllRefs } = filter ?? {};
      const from = includesAllRefs ? 'all' : await commitOf(repository, ref || null, git);
      if (!from && ref) throw notFound('Commit');
      if (!from) return loadedPage([], 0, page);
      const { skip: offset, take: limit } = rowsOf(page);
      const range = {
        from,
        path: trimEdges(path ?? '', /\//),
        message: search ? searchText(search, 'search') : '',
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
