import { createHash } from 'node:crypto';
import type { Html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import type { Diff } from './fields.ts';

/** What stands below lines of a diff, by file and line: `fileKey`, then `lineKey`. */
export type BelowLines = ReadonlyMap<string, ReadonlyMap<string, Html>>;

/** The changes between two commits, on a page. */
export interface Compared {
  /** The address of the page. */
  readonly address: string;
  readonly diffs: readonly Diff[];
  /** The commits; null before the first one. */
  readonly oldSha: string | null;
  readonly newSha: string;
  /** Whether the core left files or texts out. */
  readonly isCut?: boolean;
  /** Threads and forms below lines. */
  readonly below?: BelowLines;
  /** Whether the files belong to another repository than the project's: no links to them. */
  readonly isElsewhere?: boolean;
  /** Whether each line has a link to comment on it. */
  readonly canComment?: boolean;
}

/** Limits of a page: files, and lines of all of them together. */
export const mostFiles = 200;
export const mostLines = 10_000;

const idLength = 10;

/** The id of a file on a page; it stays the same when other files change. */
export const fileKey = ({ newPath, isDeleted }: Pick<Diff, 'newPath' | 'isDeleted'>): string =>
  `${isDeleted ? 'd' : 'f'}${createHash('sha1').update(newPath).digest('hex').slice(0, idLength)}`;

export const isParallel = ({ query }: Visit): boolean => query.view === 'parallel';

/** The parameter of a page with a single file. */
export const onlyIn = ({ query }: Visit): Readonly<Record<string, string>> =>
  query.file ? { file: query.file } : {};

/** A link to a page of changes that keeps the view. */
export function withView(
  visit: Visit,
  address: string,
  query: Readonly<Record<string, string>> = {},
): string {
  const all = new URLSearchParams({ ...(isParallel(visit) && { view: 'parallel' }), ...query });
  return all.size === 0 ? address : `${address}?${all}`;
}

/** The files that a page shows: the first ones, or the one of `?file=`. */
export const shownDiffs = ({ query }: Visit, diffs: readonly Diff[]): readonly Diff[] =>
  query.file ? diffs.filter(({ newPath }) => newPath === query.file) : diffs.slice(0, mostFiles);
