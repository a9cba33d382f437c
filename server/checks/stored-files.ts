import { stat } from 'node:fs/promises';
import { orMissing } from '../disk/files.ts';
import { filesBelow } from '../disk/walk.ts';
import { isIncoming } from '../uploads/paths.ts';
import { type Finding, tally } from './check.ts';

/** Files compared with their records at once. */
const batch = 1_000;

/** A younger file may belong to a record that is not stored yet. */
const settled = 3_600_000;

/** A stored file, by the names that its path consists of. */
export interface StoredFile {
  readonly path: string;
  readonly names: readonly string[];
}

/** The files exactly `depth` folders below `root`, without those that are still received. */
export async function* filesAt(root: string, depth: number): AsyncGenerator<StoredFile> {
  for await (const { path, place } of filesBelow(root, { isLeftOut: isIncoming })) {
    const names = path.split('/');
    if (names.length === depth + 1) yield { path: place, names };
  }
}

/** Those of `files` whose places, counted from 1, a statement gave. */
export const atPlaces = (
  files: readonly StoredFile[],
  rows: readonly { readonly place: bigint }[],
): readonly StoredFile[] => rows.flatMap(({ place }) => files[Number(place) - 1] ?? []);

/**
 * Warns of files without a record. `unrecorded` gives those of up to a thousand files that have none;
 * files of the last hour do not count.
 */
export async function* filesWithoutRecord(
  what: string,
  files: AsyncIterable<StoredFile>,
  unrecorded: (files: readonly StoredFile[]) => Promise<readonly StoredFile[]>,
): AsyncGenerator<Finding> {
  const unknown = tally();
  let waiting: StoredFile[] = [];
  const compare = async () => {
    for (const { path } of await unrecorded(waiting)) {
      const stats = await orMissing(stat(path));
      if (stats && stats.mtimeMs < Date.now() - settled) unknown.add(path);
    }
    waiting = [];
  };
  for await (const file of files) {
    waiting.push(file);
    if (waiting.length === batch) await compare();
  }
  if (waiting.length > 0) await compare();
  if (unknown.count === 0) return;
  yield {
    level: 'warning',
    problem: `${what} without a record, ${unknown.text}`,
    advice: 'Look into them, then delete them.',
  };
}
