import { isGitFolder } from '../commits/paths.ts';

export const wikiFormats = ['markdown', 'rdoc', 'asciidoc'] as const;

export type WikiFormat = (typeof wikiFormats)[number];

/** What names of pages end with: the first of a format is written, the others come by pushes. */
const endings: readonly (readonly [string, WikiFormat])[] = [
  ['.md', 'markdown'],
  ['.rdoc', 'rdoc'],
  ['.asciidoc', 'asciidoc'],
  ['.markdown', 'markdown'],
  ['.mkd', 'markdown'],
  ['.adoc', 'asciidoc'],
];

export const pageEndings: readonly string[] = endings.map(([ending]) => ending);

/** What a file's name tells of the page it is. */
export interface PageName {
  readonly path: string;
  readonly slug: string;
  readonly title: string;
  readonly format: WikiFormat;
  /** Of two files that have the same slug the lower one is the page. */
  readonly rank: number;
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Of a title or file name: blanks read as dashes, in an address. */
const dashed = (text: string) => text.replace(/\s+/gu, '-');

/**
 * The title of a name: its dashes read as blanks, but for those at an end or beside each other, which
 * would not be dashes again.
 */
const undashed = (name: string) => name.replace(/(?<=[^-])-(?=[^-])/gu, ' ');

/** The page that a file is; null when it is none. `slugOf` its title is the last part of its slug. */
export function pageAt(path: string): PageName | null {
  const name = lastOf(path);
  const index = pageEndings.findIndex((ending) => name.endsWith(ending));
  const [ending, format] = endings[index] ?? [];
  if (ending === undefined || format === undefined || name === ending) return null;
  const base = name.slice(0, -ending.length);
  const written = dashed(base);
  // a name with blanks, which only a push can bring, gives way to the one with dashes
  const rank = index + (written === base ? 0 : endings.length);
  return { path, slug: folderOf(path) + written, title: undashed(written), format, rank };
}

/** Where the page of a slug would lie, the likeliest first. */
export const pathsOf = (slug: string): readonly string[] =>
  pageEndings.map((ending) => slug + ending);

/** The file of a page that is written here. */
export const pathFor = (slug: string, format: WikiFormat): string =>
  slug + (endings.find(([, known]) => known === format)?.[0] ?? '');

export const splitSlug = (slug: string) => ({ folder: folderOf(slug), name: lastOf(slug) });

/** The slug of a new title: blanks are dashes, slashes make folders, letters keep their case. */
export const slugOf = (title: string): string =>
  title
    .split('/')
    .map((part) => dashed(part.trim()))
    .join('/');

/** The slug that a page has under another title: in its own folder, unless the title names one. */
export function renamed({ slug }: PageName, wanted: string): string {
  const asked = slugOf(wanted);
  return asked.includes('/') ? asked : folderOf(slug) + asked;
}

/** Bytes: with the longest ending it is the name of a file on every file system. */
const longestPart = 245;
const longestTitle = 1024;

/** What is wrong with a title, in words that follow "title"; empty when nothing is. */
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
