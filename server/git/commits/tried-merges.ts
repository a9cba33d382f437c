import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';

const KEPT_BYTES = 16 * 1024 * 1024;
const LARGEST_KEPT = 512 * 1024;
const MOST_FILES = 64;
/** Beside its bytes, what a file takes in memory. */
const FILE_BYTES = 300;

/**
 * What git found in the repository it did not make anew. Such an object may be nobody's, but became
 * young when it was found: git prunes it two weeks later.
 */
const LONGEST_MS = 24 * 3_600_000;

const FOLDER = /^[0-9a-f]{2}$/;
const FILE = /^[0-9a-f]{38}$/;

/** A merged tree, and the files of the objects that git made for it: `12/3456…` and its bytes. */
export interface TriedMerge {
  readonly tree: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** What came of merges that were tried, as long as it is small: whoever wants one need not repeat it. */
export function triedMerges() {
  const kept = new LRUCache<string, TriedMerge>({
    maxSize: KEPT_BYTES,
    maxEntrySize: LARGEST_KEPT,
    ttl: LONGEST_MS,
    sizeCalculation: ({ files }) =>
      [...files.values()].reduce((sum, { length }) => sum + length + FILE_BYTES, FILE_BYTES),
  });

  /** Takes them from the folder of objects that git was to write to. */
  const keep = async (key: string, tree: string, folder: string): Promise<void> => {
    const files = new Map<string, Buffer>();
    let size = 0;
    for (const name of await readdir(folder)) {
      if (!FOLDER.test(name)) return;
      for (const file of await readdir(join(folder, name))) {
        if (!FILE.test(file) || files.size === MOST_FILES) return;
        const bytes = await readFile(join(folder, name, file));
        size += bytes.length;
        if (size > LARGEST_KEPT) return;
        files.set(`${name}/${file}`, bytes);
      }
    }
    kept.set(key, { tree, files });
  };

  return { keep, find: (key: string) => kept.get(key) ?? null };
}
