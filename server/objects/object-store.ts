import type { Readable } from 'node:stream';

/** A stored object, opened. It must be closed, or one stream of it read to its end or destroyed. */
export interface ObjectReader {
  /** Bytes. */
  readonly size: number;
  /** The media type by content, such as `image/png`; null if unknown. */
  mediaType(): Promise<string | null>;
  /** The bytes from `start` up to but without `end`, the whole object by default; its end closes the reader. */
  stream(start?: number, end?: number): Readable;
  /** Reads up to `length` bytes from `position` on; fewer at the end of the object. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** A complete local file on its way to a key. */
export interface StagedObject {
  /** Makes it the object of the key, quickly: inside a transaction. Durable when this resolves. */
  complete(): Promise<void>;
  /** Gives it up, before `complete` or after a failure of it. */
  abandon(): Promise<void>;
}

export interface ObjectStats {
  /** Bytes. */
  readonly size: number;
  /** When it was stored. */
  readonly changedAt: Date;
}

export interface ListedObject {
  readonly key: string;
  /** Where an administrator finds it. */
  readonly location: string;
  /** Null if the object has been removed. A local file is looked at only now. */
  stats(): Promise<ObjectStats | null>;
}

/** How a browser or a runner is to save an object. */
export interface Download {
  /** The name of the file. */
  readonly name: string;
  readonly mediaType: string;
}

/**
 * Where complete files are kept. A key is a relative path such as `uploads/projects/7/KEY`; an object is
 * replaced as a whole, and never changed. Methods reject with `ObjectsUnavailable` if the store cannot be
 * reached, or refuses.
 */
export interface ObjectStore {
  /** Stores a local file, which it may move away. Durable when this resolves. */
  put(key: string, file: string): Promise<void>;
  /** Prepares a local file for `key`, so that the rest is quick. The former object stays until then. */
  stage(key: string, file: string): Promise<StagedObject>;
  /** Null if there is no object. Quick for the bytes from `start` on. */
  open(key: string, start?: number): Promise<ObjectReader | null>;
  /** Bytes; null if there is no object. */
  size(key: string): Promise<number | null>;
  /** Copies an object over another; false if there is none at `from`. */
  copy(from: string, to: string): Promise<boolean>;
  /** Removes an object; a missing one is no error. */
  remove(key: string): Promise<void>;
  /** Removes all objects whose keys start with `prefix`, which ends with a slash. */
  removeAll(prefix: string): Promise<void>;
  /**
   * The objects whose keys start with `prefix`, which ends with a slash, and follow `after`; in the order of
   * the names between the slashes of their keys.
   */
  list(prefix: string, after?: string): AsyncIterable<ListedObject>;
  /** A URL that gives the object to anyone for some minutes; null if there is none, or no object. */
  downloadUrl(key: string, as: Download): Promise<string | null>;
  /** Where an administrator finds the object, or would find it. */
  locationOf(key: string): string;
}

/** Whether a key never gets another content: those of uploads are random, those of LFS objects name it. */
export const hasOneContent = (key: string): boolean => /^(?:uploads|lfs)\//.test(key);

/** The order of a listing: by the names between the slashes. */
export function compareKeys(a: string, b: string): number {
  const [partsA, partsB] = [a.split('/'), b.split('/')];
  for (let at = 0; at < partsA.length && at < partsB.length; at += 1) {
    const [nameA = '', nameB = ''] = [partsA[at], partsB[at]];
    if (nameA !== nameB) return nameA < nameB ? -1 : 1;
  }
  return partsA.length - partsB.length;
}

/** Opens the bytes of an object from `start` on; null if there is no object. */
export async function openFrom(objects: ObjectStore, key: string, start = 0) {
  const reader = await objects.open(key, start);
  if (!reader) return null;
  const size = Math.max(0, reader.size - start);
  return { size, content: reader.stream(Math.min(start, reader.size)) };
}
