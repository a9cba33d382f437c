import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';

const maxCachedBytes = 16 * 1024 * 1024;
const maxCachedMergeBytes = 512 * 1024;
const maxFiles = 64;
/** Beside its bytes, what a file takes in memory. */
const bytesPerFile = 300;

/**
 * What git found in the repository it did not make anew. Such an object may be nobody's, but became
 * young when it was found: git prunes it two weeks later.
 */
const maxAgeMs = 24 * 3_600_000;

const objectFolderName = /^[0-9a-f]{2}$/;
const objectFileName = /^[0-9a-f]{38}$/;

/** A merged tree, and the files of the objects that git made for it: `12/3456…` and its bytes. */
export interface CachedMerge {
  readonly tree: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** What came of merges that were tried, as long as it is small: whoever wants one need not repeat it. */
export function mergeCache() {
  const kept = new LRUCache<string, CachedMerge>({
    maxSize: maxCachedBytes,
    maxEntrySize: maxCachedMergeBytes,
    ttl: maxAgeMs,
    sizeCalculation: ({ files }) =>
      [...files.values()].reduce((sum, { length }) => sum + length + bytesPerFile, bytesPerFile),
  });

  /** Takes them from the folder of objects that git was to write to. */
  const keep = async (key: string, tree: string, folder: string): Promise<void> => {
    const files = new Map<string, Buffer>();
    let size = 0;
    for (const name of await readdir(folder)) {
      if (!objectFolderName.test(name)) return;
      for (const file of await readdir(join(folder, name))) {
        if (!objectFileName.test(file) || files.size === maxFiles) return;
        const bytes = await readFile(join(folder, name, file));
        size += bytes.length;
        if (size > maxCachedMergeBytes) return;
        files.set(`${name}/${file}`, bytes);
      }
    }
    kept.set(key, { tree, files });
  };

  return { keep, find: (key: string) => kept.get(key) ?? null };
}
