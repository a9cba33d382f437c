import { lstat, readdir } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { fits, mayHoldFitting } from './globs.ts';
import { runProcess } from './processes.ts';
import { expandText, UnusableJob, type Variables } from './variables.ts';

/** What of a work folder goes into an archive. */
export interface Wanted {
  readonly paths: readonly string[];
  /** Also what git does not know. */
  readonly isUntracked: boolean;
}

export interface Selection {
  /** Files and symbolic links, folders that are empty; relative, with `/`. */
  readonly paths: readonly string[];
  /** What was asked for and is not there, or lies elsewhere. */
  readonly complaints: readonly string[];
}

const mostPaths = 200_000;
/** As long as the system's paths. */
const longestPattern = 4096;

interface Place {
  readonly source: string;
  readonly variables: Variables;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Finds what is wanted in the project folder. Symbolic links are taken as links and not followed;
 * `.git` is left out, and whatever is neither file, folder nor link.
 */
export async function selectFiles(wanted: Wanted, place: Place): Promise<Selection> {
  const found = new Set<string>();
  const complaints: string[] = [];
  for (const written of wanted.paths) {
    const path = expandText(written, place.variables).trim();
    const pattern = segmentsOf(path, place.source);
    if (pattern === null) {
      complaints.push(`${path}: outside of the project folder`);
      continue;
    }
    let hasMatch = false;
    for await (const match of matchesIn(place, pattern, [])) {
      hasMatch = true;
      if (typeof match === 'string') add(found, match);
      else complaints.push(match.complaint);
    }
    if (!hasMatch) complaints.push(`${path}: no matching files`);
  }
  if (wanted.isUntracked) for (const path of await untrackedIn(place)) add(found, path);
  return { paths: [...found].toSorted(), complaints };
}

function add(found: Set<string>, path: string) {
  found.add(path);
  if (found.size > mostPaths) throw new UnusableJob(`more than ${mostPaths} files are to be kept`);
}

/** The pattern's segments from the project folder on; null when it leads out of it. */
function segmentsOf(path: string, source: string): readonly string[] | null {
  const inside = isAbsolute(path) ? relative(source, path) : path;
  const segments = inside.split('/').filter((part) => part !== '' && part !== '.');
  if (path === '' || path.length > longestPattern || segments.includes('..')) return null;
  return segments.length === 0 ? ['**'] : segments;
}

async function* matchesIn(
  place: Place,
  pattern: readonly string[],
  folder: readonly string[],
): AsyncGenerator<string | { readonly complaint: string }> {
  place.signal.throwIfAborted();
  const entries = await entriesOf(place, folder);
  if (entries === null) {
    yield { complaint: `${folder.join('/')}: cannot be read` };
    return;
  }
  for (const entry of entries) {
    if (folder.length === 0 && entry.name === '.git') continue;
    const path = [...folder, entry.name];
    if (!isNameable(entry.name)) {
      if (fits(path, pattern)) yield { complaint: `${path.join('/')}: no name for an archive` };
      continue;
    }
    if (entry.isDirectory()) {
      if (!mayHoldFitting(path, pattern)) continue;
      const isEmpty = (await entriesOf(place, path))?.length === 0;
      if (isEmpty && fits(path, pattern)) yield `${path.join('/')}/`;
      else yield* matchesIn(place, pattern, path);
    } else if ((entry.isFile() || entry.isSymbolicLink()) && fits(path, pattern)) {
      yield path.join('/');
    }
  }
}

/** Null where a job has forbidden its folder, or it is gone again. */
const entriesOf = ({ source }: Place, folder: readonly string[]) =>
  readdir(join(source, ...folder), { withFileTypes: true }).catch(() => null);

/** In an archive `\\` is `/`, names are UTF-8, and none begins as on other systems. */
const isNameable = (name: string) => !/[\\\uFFFD]|^[A-Za-z]:/.test(name);

async function untrackedIn({ source, environment, signal }: Place): Promise<readonly string[]> {
  const pieces: Buffer[] = [];
  let length = 0;
  const status = await runProcess('git', ['ls-files', '--others', '-z'], {
    folder: source,
    environment: { ...environment, GIT_CONFIG_GLOBAL: '/dev/null' },
    signal,
    print: (piece) => {
      length += piece.length;
      if (length <= mostPaths * 200) pieces.push(piece);
    },
  });
  if (status !== 0 || length > mostPaths * 200) {
    throw new UnusableJob('git cannot tell what it does not know');
  }
  const names = Buffer.concat(pieces).toString().split('\0').filter(Boolean);
  const kept = await Promise.all(names.map((name) => isKept(source, name)));
  return names.filter((_, index) => kept[index]);
}

async function isKept(source: string, name: string): Promise<boolean> {
  const segments = name.split('/');
  if (segments.includes('..') || segments[0] === '.git' || isAbsolute(name)) return false;
  if (!segments.every(isNameable)) return false;
  const stats = await lstat(join(source, name)).catch(() => null);
  return stats !== null && (stats.isFile() || stats.isSymbolicLink());
}
