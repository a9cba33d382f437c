import { builder } from '../kernel/builder.ts';
import { processCost, walkCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { findWiki } from './find.ts';
import { pageHistory, pageVersion } from './history.ts';
import { WikiPageHistory, WikiPageVersion } from './history-types.ts';
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
  wikiPageHistory: t.field({
    type: WikiPageHistory,
    description:
      'The history of a page of the wiki of a project, also of a deleted page. An error NOT_FOUND if the wiki never had the page.',
    extensions: internal,
    complexity: walkCost,
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      slug: t.arg.string({ required: true, description: 'The slug or the title of the page.' }),
    },
    resolve: async (_root, { project, slug }, ctx) =>
      pageHistory(await findWiki(project, ctx), slug, ctx),
  }),
  wikiPageVersion: t.field({
    type: WikiPageVersion,
    description:
      'A page of the wiki of a project as of a commit of the wiki. An error NOT_FOUND if the wiki has no such commit, or the commit no such page.',
    extensions: internal,
    complexity: processCost,
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      slug: t.arg.string({ required: true, description: 'The slug or the title of the page.' }),
      sha: t.arg.string({ required: true, description: 'The full id of the commit.' }),
    },
    resolve: async (_root, { project, ...names }, ctx) =>
      pageVersion(await findWiki(project, ctx), names, ctx),
  }),
}));
