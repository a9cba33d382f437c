import pLimit from 'p-limit';
import type { Context } from '../kernel/context.ts';
import { notFound, rejected } from '../kernel/errors.ts';
import type { ShownPage } from './content.ts';
import type { Wiki } from './find.ts';
import { pageEndings, slugOf } from './names.ts';
import { pagesOf, type StoredPage, type WikiPages } from './pages.ts';

/** Bytes of contents that one listing may hold in memory. */
const mostContents = 16 * 1024 * 1024;
const contentsAtOnce = 16;

/** All pages of a wiki; throws if it has unreasonably many files. */
export async function readPages(
  { address }: Wiki,
  { git }: Pick<Context, 'git'>,
): Promise<WikiPages> {
  const files = await git.wikiFiles(address, pageEndings);
  if (!files) throw rejected('The wiki has too many files to be shown');
  return pagesOf(files);
}

/** Pages of a listing, whose contents are read on demand and bounded together. */
export function shownPages(pages: readonly StoredPage[], wiki: Wiki): ShownPage[] {
  const allowance = { left: mostContents, turn: pLimit(contentsAtOnce) };
  return pages.map((page) => ({ ...page, wiki, content: null, allowance }));
}

/** The page with a slug or title; throws if there is none. */
export async function pageBySlug(
  wiki: Wiki,
  slug: string,
  ctx: Pick<Context, 'git'>,
): Promise<ShownPage> {
  const { pageBySlug: pages } = await readPages(wiki, ctx);
  const page = pages.get(slug) ?? pages.get(slugOf(slug));
  if (!page) throw notFound('Wiki Page');
  return { ...page, wiki, content: null, allowance: null };
}
