import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import type { FileDiff } from '../ports/git/diff.ts';
import type { CommitRecord } from '../ports/git/history.ts';
import type { LogRange } from '../ports/git/log.ts';
import type { WikiFiles } from '../ports/git/wikis.ts';
import type { ShownPage } from './content.ts';
import type { Wiki } from './find.ts';
import { pageAt, pathsOf, slugOf } from './names.ts';
import { locate, type StoredPage } from './pages.ts';

/** The commits of a wiki that changed the file of a page. */
export interface PageHistory {
  readonly wiki: Wiki;
  readonly slug: string;
  readonly path: string;
  /** The newest commit of the wiki. */
  readonly tip: string;
  /** The page as it is now; null if it was deleted or renamed. */
  readonly page: StoredPage | null;
}

/** A page as of a commit of the wiki. */
export interface PageVersion {
  readonly wiki: Wiki;
  readonly slug: string;
  readonly path: string;
  readonly commit: CommitRecord;
}

type Reading = Pick<Context, 'git' | 'request'>;

/** The history of a page by its slug or title; throws if the wiki never had it. */
export async function pageHistory(wiki: Wiki, slug: string, ctx: Reading): Promise<PageHistory> {
  const tip = await ctx.git.wikiCommit(wiki.address);
  if (!tip) throw notFound('Wiki Page');
  const page = await pageIn(await ctx.git.wikiFilesAt(wiki.address, tip), slug);
  if (page) return { wiki, slug: page.slug, path: page.path, tip, page };
  const path = await formerPath(wiki, tip, slug, ctx);
  return { wiki, slug: pageAt(path)?.slug ?? slug, path, tip, page: null };
}

const pageIn = async (files: WikiFiles, slug: string): Promise<StoredPage | null> =>
  (await locate(files, slug)) ?? (await locate(files, slugOf(slug)));

/** The path of a page that was deleted; throws if none of its possible paths has a history. */
async function formerPath(
  { address }: Wiki,
  tip: string,
  slug: string,
  { git, request }: Reading,
): Promise<string> {
  const paths = pathsOf(slugOf(slug));
  const changed = await git.lastCommitsOf(address, tip, paths, request.signal);
  const path = paths.find((possible) => changed.has(possible));
  if (path === undefined) throw notFound('Wiki Page');
  return path;
}

/** What `git.log` lists as the versions of a page. */
export const versionRange = ({ path, tip }: PageHistory): LogRange => ({
  ...{ from: tip, path },
  ...{ message: '', since: null, until: null },
});

const isSha = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);

/**
 * A page as of the commit `sha`, which need not have changed it. Throws if the wiki has no such
 * commit, and if the page exists neither in it nor in its first parent.
 */
export async function pageVersion(
  wiki: Wiki,
  { slug, sha }: { readonly slug: string; readonly sha: string },
  { git }: Pick<Context, 'git'>,
): Promise<PageVersion> {
  const { address } = wiki;
  const hasCommits = isSha(sha) && (await git.wikiCommit(address)) !== null;
  const commit = hasCommits ? await git.commitBehind(address, sha) : null;
  if (!commit) throw notFound('Wiki Page');
  const states = [commit.id, ...commit.parentIds.slice(0, 1)];
  for (const state of states) {
    const page = await pageIn(await git.wikiFilesAt(address, state), slug);
    if (page) return { wiki, slug: page.slug, path: page.path, commit };
  }
  throw notFound('Wiki Page');
}

/** The page as of the version; null if the version deleted or moved it. */
export const pageOfVersion = (
  { wiki, path, commit }: PageVersion,
  ctx: Pick<Context, 'git'>,
): Promise<ShownPage | null> => pageAtPath(wiki, path, commit.id, ctx);

/** The page of a version as it is now; null if its file was deleted or moved. */
export async function newestPage(
  wiki: Wiki,
  path: string,
  ctx: Pick<Context, 'git'>,
): Promise<ShownPage | null> {
  const tip = await ctx.git.wikiCommit(wiki.address);
  return tip ? pageAtPath(wiki, path, tip, ctx) : null;
}

async function pageAtPath(
  wiki: Wiki,
  path: string,
  commit: string,
  { git }: Pick<Context, 'git'>,
): Promise<ShownPage | null> {
  const file = await (await git.wikiFilesAt(wiki.address, commit)).find(path);
  const page = file?.isFile ? pageAt(path) : null;
  return file && page ? { ...page, id: file.id, wiki, content: null, allowance: null } : null;
}

/**
 * What the version changed in the page since its first parent. Null if that is nothing, or if the
 * commit changed too many files.
 */
export async function changeOfVersion(
  { wiki, path, commit }: PageVersion,
  { git, request }: Reading,
): Promise<FileDiff | null> {
  const step = { from: commit.parentIds[0] ?? null, to: commit.id };
  const { files } = await git.diff(wiki.address, step, request.signal);
  const withNewPath = files.find(({ newPath }) => newPath === path);
  return withNewPath ?? files.find(({ oldPath }) => oldPath === path) ?? null;
}

/** The slug that the page had before the version; null unless the version renamed it. */
export async function formerSlug(version: PageVersion, ctx: Reading): Promise<string | null> {
  const change = await changeOfVersion(version, ctx);
  if (!change?.isRenamed || change.newPath !== version.path) return null;
  return pageAt(change.oldPath)?.slug ?? null;
}
