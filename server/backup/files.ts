import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing } from '../disk/files.ts';

/** Marks and received files of running processes (server/uploads/incoming.ts). */
const incoming = 'tmp';

/** A stored file. */
interface StoredFile {
  /** Below the root, with the suffix. */
  readonly path: string;
  readonly place: string;
  /** Its size and time: files are replaced or extended, never changed in place. */
  readonly state: string;
}

/** All files below `root` in the order of an archive, with `suffix` added to their names. */
export async function* filesBelow(
  root: string,
  suffix: string,
  folder = '',
): AsyncGenerator<StoredFile> {
  const entries = (await orMissing(readdir(join(root, folder), { withFileTypes: true }))) ?? [];
  const named = entries.map((entry) => ({
    entry,
    name: entry.isFile() ? `${entry.name}${suffix}` : entry.name,
  }));
  for (const { entry, name } of named.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (folder === '' && entry.name === incoming) continue;
    const path = folder === '' ? name : `${folder}/${name}`;
    if (entry.isDirectory()) yield* filesBelow(root, suffix, path);
    if (!entry.isFile()) continue;
    const place = join(root, folder, entry.name);
    const stats = await orMissing(stat(place));
    if (stats) yield { path, place, state: `${stats.size} ${stats.mtimeMs}` };
  }
}

export const contentOfFile = (place: string): AsyncIterable<Buffer> =>
  createReadStream(place, { highWaterMark: 2 ** 20 });
