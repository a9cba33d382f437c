import { Diff } from '../commits/diff.ts';
import { Signature } from '../commits/signature.ts';
import { titleOf } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import { processCost, statementCost } from '../kernel/cost.ts';
import { listingCost, offsetPageInfo, type Page, pageArgs, rowsOf } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import {
  changeOfVersion,
  formerSlug,
  newestPage,
  type PageHistory,
  type PageVersion,
  pageOfVersion,
  versionRange,
} from './history.ts';
import { WikiPage } from './types.ts';

export const WikiPageVersion = builder.objectRef<PageVersion>('WikiPageVersion').implement({
  description: 'A page of a wiki as of a commit of its repository.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'The slug of the page.' }),
    sha: t.field({
      type: 'SHA',
      description: 'The id of the commit.',
      resolve: ({ commit }) => commit.id,
    }),
    title: t.string({
      description: 'The first line of the message of the commit.',
      resolve: ({ commit }) => titleOf(commit.message),
    }),
    author: t.field({
      type: Signature,
      description: 'The author of the commit.',
      resolve: ({ commit }) => commit.author,
    }),
    page: t.field({
      type: WikiPage,
      description: 'The page at this version. Null if the version deleted or renamed it.',
      nullable: true,
      complexity: statementCost,
      resolve: (version, _args, ctx) => pageOfVersion(version, ctx),
    }),
    newestPage: t.field({
      type: WikiPage,
      description: 'The page as it is now. Null if it was deleted or renamed.',
      nullable: true,
      complexity: statementCost,
      resolve: ({ wiki, path }, _args, ctx) => newestPage(wiki, path, ctx),
    }),
    change: t.field({
      type: Diff,
      description:
        'The change of the page since the first parent of the commit. Null if there is none, or if the commit changed too many files.',
      nullable: true,
      complexity: processCost,
      resolve: (version, _args, ctx) => changeOfVersion(version, ctx),
    }),
    formerSlug: t.string({
      description: 'The slug before this version. Null unless the version renamed the page.',
      nullable: true,
      complexity: processCost,
      resolve: (version, _args, ctx) => formerSlug(version, ctx),
    }),
  }),
});

export const WikiPageHistory = builder.objectRef<PageHistory>('WikiPageHistory').implement({
  description: 'The versions of a page of a wiki.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'The slug of the page.' }),
    page: t.field({
      type: WikiPage,
      description: 'The page as it is now. Null if it was deleted or renamed.',
      nullable: true,
      resolve: ({ page, wiki }) => page && { ...page, wiki, content: null, allowance: null },
    }),
    versions: t.field({
      type: pageType('WikiPageVersion', WikiPageVersion),
      description: 'The commits that changed the page under its slug, newest first.',
      complexity: (page) => ({ ...listingCost(page), field: processCost }),
      args: pageArgs,
      resolve: (history, page, { git, request }): Page<PageVersion> => {
        const { wiki, slug, path } = history;
        const { skip: offset, take: limit } = rowsOf(page);
        const range = versionRange(history);
        let listed: Promise<readonly string[]> | null = null;
        // one version more tells whether a page follows
        const idsOn = () => {
          listed ??= git.log(wiki.address, { ...range, offset, limit: limit + 1 }, request.signal);
          return listed;
        };
        return {
          nodes: async () => {
            const commits = await git.commits(wiki.address, (await idsOn()).slice(0, limit));
            return commits.map((commit) => ({ wiki, slug, path, commit }));
          },
          total: () => git.logTotal(wiki.address, range, request.signal),
          pageInfo: async () => {
            const { length } = await idsOn();
            return offsetPageInfo(offset, Math.min(length, limit), length > limit);
          },
        };
      },
    }),
  }),
});
