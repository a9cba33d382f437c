import { isGitFolder } from '../commits/paths.ts';

export const wikiFormats = ['markdown', 'rdoc', 'asciidoc'] as const;

export type WikiFormat = (typeof wikiFormats)[number];

/**
 * The file extensions of pages: the first of a format is used for new files, pushes may bring the
 * others.
 */
const endings: readonly (readonly [string, WikiFormat])[] = [
  ['.md', 'markdown'],
  ['.rdoc', 'rdoc'],
  ['.asciidoc', 'asciidoc'],
  ['.markdown', 'markdown'],
  ['.mkd', 'markdown'],
  ['.adoc', 'asciidoc'],
];

export const pageEndings: readonly string[] = endings.map(([ending]) => ending);

/** A page as described by its file name. */
export interface PageName {
  readonly path: string;
  readonly slug: string;
  readonly title: string;
  readonly format: WikiFormat;
  /** Of two files with the same slug the one with the lower rank is the page. */
  readonly rank: number;
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** A title or file name in a URL: white space becomes dashes. */
const withDashes = (text: string) => text.replace(/\s+/gu, '-');

/**
 * The title of a file name: dashes become spaces, except at the ends and beside each other, because
 * those would not become dashes again.
 */
const withSpaces = (name: string) => name.replace(/(?<=[^-])-(?=[^-])/gu, ' ');

/**
 * The page of a file; null if the file is no page. `slugOf` its title is the last part of its slug.
 */
export function pageAt(path: string): PageName | null {
  const name = lastOf(path);
  const index = pageEndings.findIndex((ending) => name.endsWith(ending));
  const [ending, format] = endings[index] ?? [];
  if (ending === undefined || format === undefined || name === ending) return null;
  const base = name.slice(0, -ending.length);
  const written = withDashes(base);
  // a name with spaces, which only a push can bring, ranks after the one with dashes
  const rank = index + (written === base ? 0 : endings.length);
  return { path, slug: folderOf(path) + written, title: withSpaces(written), format, rank };
}

/** The possible paths of a slug's page, the likeliest first. */
export const pathsOf = (slug: string): readonly string[] =>
  pageEndings.map((ending) => slug + ending);

/** The path of a new page. */
export const pathFor = (slug: string, format: WikiFormat): string =>
  slug + (endings.find(([, other]) => other === format)?.[0] ?? '');

export const splitSlug = (slug: string) => ({ folder: folderOf(slug), name: lastOf(slug) });

/** The slug of a new title: spaces become dashes, slashes make folders, case is kept. */
export const slugOf = (title: string): string =>
  title
    .split('/')
    .map((part) => withDashes(part.trim()))
    .join('/');

/** The slug of a page with a new title: in its own folder, unless the title names one. */
export function renamed({ slug }: PageName, wanted: string): string {
  const newSlug = slugOf(wanted);
  return newSlug.includes('/') ? newSlug : folderOf(slug) + newSlug;
}

/** In bytes: with the longest extension it is a valid file name on every file system. */
const longestPart = 245;
const longestTitle = 1024;

/** The validation errors of a title, as texts that follow "title". */
export function titleFaults(title: string): readonly string[] {
  if (title.trim() === '') return ["can't be blank"];
  if (/\p{Cc}/u.test(title) || !title.isWellFormed()) return ['is invalid'];
  const parts = slugOf(title).split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || isGitFolder(part))) {
    return ['is invalid'];
  }
  const isLong = parts.some((part) => Buffer.byteLength(part) > longestPart);
  if (isLong) return [`is too long (maximum is ${longestPart} bytes)`];
  return Buffer.byteLength(title) > longestTitle
    ? [`is too long (maximum is ${longestTitle} bytes)`]
    : [];
}
