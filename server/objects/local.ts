import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { orMissing, readAt, syncPath } from '../disk/files.ts';
import { filesBelow } from '../disk/walk.ts';
import { mediaTypeOf } from './media-type.ts';
import type { ListedObject, ObjectReader, ObjectStore } from './object-store.ts';

/** Keeps objects as files below `root`, on the file system of the files that it gets. */
export function localObjects(root: string): ObjectStore {
  const pathOf = (key: string) => join(root, key);
  const moveTo = async (key: string, file: string) => {
    const path = pathOf(key);
    await mkdir(dirname(path), { recursive: true });
    await rename(file, path);
    await syncPath(dirname(path));
  };
  return {
    put: async (key, file) => {
      await syncPath(file);
      await moveTo(key, file);
    },
    stage: async (key, file) => {
      await syncPath(file);
      // the file belongs to the caller until it has moved
      return { complete: () => moveTo(key, file), abandon: async () => {} };
    },
    open: (key) => openFile(pathOf(key)),
    size: async (key) => (await statsOf(pathOf(key)))?.size ?? null,
    copy: async (from, to) => {
      if ((await orMissing(stat(pathOf(from)))) === null) return false;
      const path = pathOf(to);
      await mkdir(dirname(path), { recursive: true });
      await rm(path, { force: true });
      // objects never change, so that both can be the same file
      const isLinked = await orMissing(link(pathOf(from), path).then(() => true));
      if (isLinked) await syncPath(dirname(path));
      return isLinked ?? false;
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    removeAll: (prefix) => rm(pathOf(prefix), { recursive: true, force: true }),
    list: (prefix, after) => listFiles(root, prefix, after),
    downloadUrl: async () => null,
    locationOf: pathOf,
  };
}

async function statsOf(path: string) {
  const stats = await orMissing(stat(path));
  return stats && { size: stats.size, changedAt: stats.mtime };
}

/** Opened before its stats are read: a file deleted in between can still be read to its end. */
async function openFile(path: string): Promise<ObjectReader | null> {
  const file = await orMissing(open(path, 'r'));
  if (!file) return null;
  try {
    const { size } = await file.stat();
    const read = (position: number, length: number) => readAt(file, position, length);
    return {
      size,
      mediaType: () => mediaTypeOf(read),
      // a stream option cannot express an empty range
      stream: (start = 0, end = size) =>
        file.createReadStream(end > start ? { start, end: end - 1 } : { start: size }),
      read,
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* listFiles(
  root: string,
  prefix: string,
  after: string | undefined,
): AsyncGenerator<ListedObject> {
  const below = after?.startsWith(prefix) ? after.slice(prefix.length) : undefined;
  for await (const { path, place } of filesBelow(join(root, prefix), below)) {
    yield { key: `${prefix}${path}`, location: place, stats: () => statsOf(place) };
  }
}
