import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';

const maxCachedBytes = 16 * 1024 * 1024;
const maxCachedMergeBytes = 512 * 1024;
const maxFiles = 64;
/** Overhead of a cached file in memory, in bytes. */
const bytesPerFile = 300;

/**
 * Git does not write objects again that the repository already has. Such an object may be
 * unreachable, but git renewed its time stamp, so it is pruned two weeks later at the earliest.
 */
const maxAgeMs = 24 * 3_600_000;

const objectFolderName = /^[0-9a-f]{2}$/;
const objectFileName = /^[0-9a-f]{38}$/;

/** A merged tree and the loose object files that git wrote for it: `12/3456…` → bytes. */
interface CachedMerge {
  readonly tree: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Keeps the results of trial merges that are small, so that the actual merge need not repeat them. */
export function mergeCache() {
  const cache = new LRUCache<string, CachedMerge>({
    maxSize: maxCachedBytes,
    maxEntrySize: maxCachedMergeBytes,
    ttl: maxAgeMs,
    sizeCalculation: ({ files }) =>
      [...files.values()].reduce((sum, { length }) => sum + length + bytesPerFile, bytesPerFile),
  });

  /** Reads the objects from the folder that git wrote them to. */
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
    cache.set(key, { tree, files });
  };

  return { keep, find: (key: string) => cache.get(key) ?? null };
}
