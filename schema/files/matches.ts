import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { walkCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { searchText } from '../kernel/search.ts';
import {
  listingCost,
  loadedPage,
  type Page,
  type PageArgs,
  pageArgs,
  rowsOf,
} from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { ContentMatch } from '../ports/git/content-search.ts';
import { commitOf } from '../repository/commit-of.ts';
import { Repository } from '../repository/types.ts';

interface FileMatchRecord extends ContentMatch {
  readonly projectId: number;
  readonly ref: string;
}

const FileMatch = builder.objectRef<FileMatchRecord>('FileMatch').implement({
  description: 'Lines of a file that have a text, with the lines around them.',
  fields: (t) => ({
    projectId: t.exposeInt('projectId', { description: 'The number of the project.' }),
    ref: t.exposeString('ref', { description: 'The branch, tag or commit that was searched.' }),
    path: t.exposeString('path', { description: 'The path from the root of the repository.' }),
    firstLine: t.exposeInt('firstLine', { description: 'The number of the first line, from 1.' }),
    text: t.exposeString('text', { description: 'The lines, each with its line break.' }),
  }),
});

export const FileMatchPage = pageType('FileMatch', FileMatch);

/** The arguments of a search in files. */
export const fileMatchArgs = {
  ...pageArgs,
  ...builder.args((t) => ({
    query: t.string({
      required: true,
      description: 'The text, in upper or lower case; it is no pattern.',
    }),
  })),
};

/** The cost of a search in files, with its rows. */
export const fileMatchCost = (page: PageArgs) => ({ ...listingCost(page), field: walkCost });

interface Searched {
  readonly repository: RepositoryAddress;
  readonly projectId: number;
  readonly ref: string;
  readonly commit: string;
}

/** A page of the matches in the files of a commit, by path. */
export async function listFileMatches(
  { repository, projectId, ref, commit }: Searched,
  { query, ...page }: PageArgs & { readonly query: string },
  { git, request }: Pick<Context, 'git' | 'request'>,
): Promise<Page<FileMatchRecord>> {
  const search = { commit, text: searchText(query, 'query') };
  const matches = await git.searchContents(repository, search, request.signal);
  const { skip, take } = rowsOf(page);
  const nodes = matches.slice(skip, skip + take).map((match) => ({ ...match, projectId, ref }));
  return loadedPage(nodes, matches.length, page);
}

builder.objectField(Repository, 'fileMatches', (t) =>
  t.field({
    type: FileMatchPage,
    extensions: internal,
    description:
      'The first 1,000 places with a text in the files of a branch, tag or commit, by path. An error if the search takes more than 10 s.',
    complexity: fileMatchCost,
    args: {
      ...fileMatchArgs,
      ref: t.arg.string({
        description: 'A branch, a tag or a commit id. Default: the default branch.',
      }),
    },
    resolve: async (repository, { ref, ...args }, ctx) => {
      const commit = await commitOf(repository, ref || null, ctx.git);
      if (!commit && ref) throw notFound('Commit');
      if (!commit) return loadedPage([], 0, args);
      const place = { repository, projectId: repository.id, commit };
      return listFileMatches(
        { ...place, ref: ref || repository.defaultBranch || 'HEAD' },
        args,
        ctx,
      );
    },
  }),
);
