import type { WikiFile, WikiFiles } from '../ports/git/wikis.ts';
import { type PageName, pageAt, pathsOf, splitSlug } from './names.ts';

/** A page as stored in the repository. */
export interface StoredPage extends PageName {
  /** The blob's id. */
  readonly id: string;
}

/** All pages of a wiki. */
export interface WikiPages {
  /** Ordered by slug. */
  readonly all: readonly StoredPage[];
  readonly pageBySlug: ReadonlyMap<string, StoredPage>;
  /** All of them as JSON, without contents; computed at the first call. */
  text(): string;
}

const cachedPages = new WeakMap<readonly WikiFile[], WikiPages>();

/** The pages among a wiki's files; of two with the same slug, the one with the lower rank. */
export function pagesOf(files: readonly WikiFile[]): WikiPages {
  const pages = cachedPages.get(files) ?? arrange(files);
  cachedPages.set(files, pages);
  return pages;
}

function arrange(files: readonly WikiFile[]): WikiPages {
  const called = new Map<string, StoredPage>();
  for (const { path, id } of files) {
    const page = pageAt(path);
    if (!page) continue;
    const other = called.get(page.slug);
    if (!other || ranksBefore(page, other)) called.set(page.slug, { ...page, id });
  }
  const all = [...called.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  let text: string | null = null;
  return {
    all,
    pageBySlug: called,
    text: () => {
      text ??= JSON.stringify(all.map(({ format, slug, title }) => ({ format, slug, title })));
      return text;
    },
  };
}

const ranksBefore = (a: PageName, b: PageName) =>
  a.rank < b.rank || (a.rank === b.rank && a.path < b.path);

/** The page of a slug, during an edit. */
export async function locate(files: WikiFiles, slug: string): Promise<StoredPage | null> {
  for (const path of pathsOf(slug)) {
    const file = await files.find(path);
    const page = file?.isFile ? pageAt(path) : null;
    if (file && page) return { ...page, id: file.id };
  }
  const { folder, name } = splitSlug(slug);
  if (!name.includes('-')) return null;
  const names = await files.namesWithBlanks(folder.slice(0, -1));
  const candidates = names
    .flatMap((other) => pageAt(folder + other) ?? [])
    .filter((page) => page.slug === slug)
    .sort((a, b) => (ranksBefore(a, b) ? -1 : 1));
  for (const page of candidates) {
    const file = await files.find(page.path);
    if (file?.isFile) return { ...page, id: file.id };
  }
  return null;
}
