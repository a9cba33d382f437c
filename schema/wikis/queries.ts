import pLimit from 'p-limit';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { processCost } from '../kernel/cost.ts';
import { notFound, rejected } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { findWiki, type Wiki } from './find.ts';
import { pageEndings, slugOf } from './names.ts';
import { pagesOf, type WikiPages } from './pages.ts';
import { WikiPage } from './types.ts';

/** Bytes of contents that one listing may hold in memory. */
const mostContents = 16 * 1024 * 1024;
const contentsAtOnce = 16;

/** A tree walk, and an unlimited number of pages. */
const pagesCost = { field: processCost, multiplier: 100 };

async function readPages({ address }: Wiki, { git }: Pick<Context, 'git'>): Promise<WikiPages> {
  const files = await git.wikiFiles(address, pageEndings);
  if (!files) throw rejected('The wiki has too many files to be shown');
  return pagesOf(files);
}

builder.queryFields((t) => ({
  wikiPages: t.field({
    type: [WikiPage],
    description: "All pages of a project's wiki, by slug; v4 has never paged them.",
    complexity: pagesCost,
    args: { project: t.arg.id({ required: true }) },
    resolve: async (_root, { project }, ctx) => {
      const wiki = await findWiki(project, ctx);
      const { all } = await readPages(wiki, ctx);
      const allowance = { left: mostContents, turn: pLimit(contentsAtOnce) };
      return all.map((page) => ({ ...page, wiki, content: null, allowance }));
    },
  }),
  wikiPagesText: t.string({
    extensions: internal,
    description:
      'What `wikiPages` lists, as the JSON text `[{ format, slug, title }]`: made once for each state of the wiki.',
    complexity: pagesCost.field,
    args: { project: t.arg.id({ required: true }) },
    resolve: async (_root, { project }, ctx) => {
      const wiki = await findWiki(project, ctx);
      return (await readPages(wiki, ctx)).text();
    },
  }),
  wikiPage: t.field({
    type: WikiPage,
    complexity: processCost,
    args: { project: t.arg.id({ required: true }), slug: t.arg.string({ required: true }) },
    resolve: async (_root, { project, slug }, ctx) => {
      const wiki = await findWiki(project, ctx);
      const { pageBySlug: called } = await readPages(wiki, ctx);
      const page = called.get(slug) ?? called.get(slugOf(slug));
      if (!page) throw notFound('Wiki Page');
      return { ...page, wiki, content: null, allowance: null };
    },
  }),
}));
