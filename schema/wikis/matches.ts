import { FileMatchPage, fileMatchArgs, fileMatchCost, listFileMatches } from '../files/matches.ts';
import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { loadedPage } from '../listing/page.ts';
import { findWiki } from './find.ts';

/** The branch of the pages of every wiki. */
const wikiBranch = 'master';

builder.queryField('wikiMatches', (t) =>
  t.field({
    type: FileMatchPage,
    extensions: internal,
    description:
      'The first 1,000 places with a text in the pages of the wiki of a project, by path. An error if the search takes more than 10 s.',
    complexity: fileMatchCost,
    args: { ...fileMatchArgs, project: t.arg.id({ required: true, description: 'The project.' }) },
    resolve: async (_root, { project, ...args }, ctx) => {
      const { address: repository, projectId } = await findWiki(project, ctx);
      const commit = await ctx.git.wikiCommit(repository);
      if (!commit) return loadedPage([], 0, args);
      return listFileMatches({ repository, projectId, ref: wikiBranch, commit }, args, ctx);
    },
  }),
);
