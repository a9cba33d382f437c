import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing } from './files.ts';

/** A file below a root. */
export interface WalkedFile {
  /** Below the root. */
  readonly path: string;
  /** Where it is on the disk. */
  readonly place: string;
}

/**
 * All files below `root`, folder by folder in the order of their names; none if it does not exist. With
 * `after`, a path below the root, only those that follow it; folders before it are not read.
 */
export async function* filesBelow(root: string, after?: string): AsyncGenerator<WalkedFile> {
  const entries = (await orMissing(readdir(root, { withFileTypes: true }))) ?? [];
  const [first = '', ...rest] = after?.split('/') ?? [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry;
    if (name < first) continue;
    const place = join(root, name);
    if (entry.isFile() && name !== first) yield { path: name, place };
    if (!entry.isDirectory()) continue;
    for await (const file of filesBelow(place, name === first ? rest.join('/') : undefined)) {
      yield { ...file, path: `${name}/${file.path}` };
    }
  }
}
