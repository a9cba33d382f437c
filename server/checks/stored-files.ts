import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing } from '../disk/files.ts';
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

/** The files exactly `depth` folders below `root`; folders below it are left out if `isLeftOut`. */
export async function* filesAt(
  root: string,
  depth: number,
  isLeftOut: (name: string) => boolean = () => false,
): AsyncGenerator<StoredFile> {
  const entries = (await orMissing(readdir(root, { withFileTypes: true }))) ?? [];
  for (const entry of entries) {
    const path = join(root, entry.name);
    if (depth === 0 && entry.isFile()) yield { path, names: [entry.name] };
    if (depth === 0 || !entry.isDirectory() || isLeftOut(entry.name)) continue;
    for await (const { path: below, names } of filesAt(path, depth - 1)) {
      yield { path: below, names: [entry.name, ...names] };
    }
  }
}

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
