import { lstat, readdir } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { fits, mayHoldFitting } from './globs.ts';
import type { JobContext } from './job-context.ts';
import { runProcess } from './processes.ts';
import { expandText, UnusableJob } from './variables.ts';

/** Which files of a work folder to archive. */
export interface Wanted {
  readonly paths: readonly string[];
  /** Include untracked files. */
  readonly isUntracked: boolean;
}

export interface Selection {
  /** Files, symbolic links and empty folders; relative, with `/`. */
  readonly paths: readonly string[];
  /** Requested paths that do not exist, or are outside the project. */
  readonly complaints: readonly string[];
}

const maxPaths = 200_000;
/** The system's path limit. */
const maxPatternLength = 4096;

interface Place extends Pick<JobContext, 'variables' | 'environment' | 'signal'> {
  readonly source: string;
}

/**
 * Finds the matching files in the project folder. Does not follow symbolic links; excludes `.git`,
 * and anything but files, folders and links.
 */
export async function selectFiles(wanted: Wanted, place: Place): Promise<Selection> {
  const selected = new Set<string>();
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
      if (typeof match === 'string') add(selected, match);
      else complaints.push(match.complaint);
    }
    if (!hasMatch) complaints.push(`${path}: no matching files`);
  }
  if (wanted.isUntracked) for (const path of await untrackedIn(place)) add(selected, path);
  return { paths: [...selected].toSorted(), complaints };
}

function add(selected: Set<string>, path: string) {
  selected.add(path);
  if (selected.size > maxPaths) throw new UnusableJob(`more than ${maxPaths} files match`);
}

/** The pattern's segments relative to the project folder; null when it leads out of it. */
function segmentsOf(path: string, source: string): readonly string[] | null {
  const inside = isAbsolute(path) ? relative(source, path) : path;
  const segments = inside.split('/').filter((part) => part !== '' && part !== '.');
  if (path === '' || path.length > maxPatternLength || segments.includes('..')) return null;
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

/** Null for an unreadable or deleted folder. */
const entriesOf = ({ source }: Place, folder: readonly string[]) =>
  readdir(join(source, ...folder), { withFileTypes: true }).catch(() => null);

/** Archives use `/` for `\\`, UTF-8 names, and no absolute paths of other systems. */
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
      if (length <= maxPaths * 200) pieces.push(piece);
    },
  });
  if (status !== 0 || length > maxPaths * 200) {
    throw new UnusableJob('the untracked files could not be listed');
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
