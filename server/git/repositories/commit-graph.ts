import { open, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing, readAt } from '../../disk/files.ts';
import { runGit } from '../process/run.ts';
import type { Locks } from '../refs/locks.ts';

/**
 * Filters of changed paths that one run computes; each compares a commit with its parent, some
 * 100 µs. Commits beyond them are compared when a walk needs it.
 */
const maxNewFilters = 100_000;

const wholeGraph = join('objects', 'info', 'commit-graph');
/** Of the layers of a graph. */
export const layerFolder = join('objects', 'info', 'commit-graphs');
const chain = join(layerFolder, 'commit-graph-chain');

const headerBytes = 8;
const chunkCountOffset = 6;
const chunkEntryBytes = 12;
/** The chunk with the positions of the filters. */
const filterChunk = 'BIDX';

/** When the commit graph with filters of changed paths was last updated; null if there is none. */
export async function commitGraphTime(folder: string): Promise<number | null> {
  // git prefers it to a chain
  const whole = join(folder, wholeGraph);
  const stats = await orMissing(stat(whole));
  if (stats) return (await hasFilters(whole)) ? stats.mtimeMs : null;
  const text = await orMissing(readFile(join(folder, chain), 'latin1'));
  const [base] = text?.split('\n') ?? [];
  if (!base || !/^[0-9a-f]{40}$/.test(base)) return null;
  if (!(await hasFilters(join(folder, layerFolder, `graph-${base}.graph`)))) return null;
  return (await orMissing(stat(join(folder, chain))))?.mtimeMs ?? null;
}

/** Whether a file of the commit graph lists a chunk of filters. */
async function hasFilters(path: string): Promise<boolean> {
  const file = await orMissing(open(path));
  if (!file) return false;
  try {
    const header = await readAt(file, 0, headerBytes);
    const chunkCount = header[chunkCountOffset] ?? 0;
    const chunks = await readAt(file, headerBytes, chunkCount * chunkEntryBytes);
    for (let at = 0; at < chunks.length; at += chunkEntryBytes)
      if (chunks.toString('latin1', at, at + filterChunk.length) === filterChunk) return true;
    return false;
  } finally {
    await file.close();
  }
}

interface UpdateOptions {
  readonly locks: Locks;
  readonly signal: AbortSignal;
  /** Whether to write all of it instead of a layer for the new commits. */
  readonly isWhole?: boolean;
}

/**
 * Writes the commit graph with filters of changed paths, with which a walk of the history of a path
 * compares few commits. A new layer costs as much as the new commits; git merges small layers.
 */
export async function updateCommitGraph(
  folder: string,
  { locks, signal, isWhole = false }: UpdateOptions,
): Promise<void> {
  await locks.removeStale(folder, [`${wholeGraph}.lock`, `${chain}.lock`]);
  const split = isWhole || (await commitGraphTime(folder)) === null ? '--split=replace' : '--split';
  const options = ['--reachable', '--changed-paths', `--max-new-filters=${maxNewFilters}`];
  await runGit(
    [`--git-dir=${folder}`, 'commit-graph', 'write', '--no-progress', split, ...options],
    { signal },
  );
  // git leaves it as it is if there is no new commit
  const now = new Date();
  await orMissing(utimes(join(folder, chain), now, now));
}
