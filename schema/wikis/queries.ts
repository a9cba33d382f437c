import { builder } from '../kernel/builder.ts';
import { processCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { findWiki } from './find.ts';
import { pageBySlug, readPages, shownPages } from './read.ts';
import { WikiPage } from './types.ts';

/** A tree walk, and an unlimited number of pages. */
const pagesCost = { field: processCost, multiplier: 100 };

builder.queryFields((t) => ({
  wikiPages: t.field({
    type: [WikiPage],
    description: 'All pages of the wiki of a project, by slug.',
    extensions: internal,
    complexity: pagesCost,
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
    },
    resolve: async (_root, { project }, ctx) => {
      const wiki = await findWiki(project, ctx);
      return shownPages((await readPages(wiki, ctx)).all, wiki);
    },
  }),
  wikiPagesText: t.string({
    description:
      'The pages of `wikiPages` as the JSON text `[{ format, slug, title }]`, computed once for each state of the wiki.',
    extensions: internal,
    complexity: pagesCost.field,
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
    },
    resolve: async (_root, { project }, ctx) => {
      const wiki = await findWiki(project, ctx);
      return (await readPages(wiki, ctx)).text();
    },
  }),
  wikiPage: t.field({
    type: WikiPage,
    description: 'A single page of the wiki of a project, by its slug.',
    extensions: internal,
    complexity: processCost,
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      slug: t.arg.string({ required: true, description: 'The slug or the title of the page.' }),
    },
    resolve: async (_root, { project, slug }, ctx) => {
      return pageBySlug(await findWiki(project, ctx), slug, ctx);
    },
  }),
}));
