import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing } from './files.ts';

/** A file below a root. */
export interface WalkedFile {
  /** Below the root, with the suffix. */
  readonly path: string;
  /** Where it is on the disk. */
  readonly place: string;
}

interface WalkOptions {
  /** Added to the names of files, before they are sorted. */
  readonly suffix?: string;
  /** Whether to leave out a file or folder directly below the root. */
  readonly isLeftOut?: (name: string) => boolean;
}

/** All files below `root`, folder by folder in the order of their names; none if it does not exist. */
export async function* filesBelow(
  root: string,
  { suffix = '', isLeftOut = () => false }: WalkOptions = {},
): AsyncGenerator<WalkedFile> {
  const entries = (await orMissing(readdir(root, { withFileTypes: true }))) ?? [];
  const named = entries
    .filter(({ name }) => !isLeftOut(name))
    .map((entry) => ({ entry, name: entry.isFile() ? `${entry.name}${suffix}` : entry.name }));
  for (const { entry, name } of named.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const place = join(root, entry.name);
    if (entry.isFile()) yield { path: name, place };
    if (!entry.isDirectory()) continue;
    for await (const file of filesBelow(place, { suffix })) {
      yield { ...file, path: `${name}/${file.path}` };
    }
  }
}
