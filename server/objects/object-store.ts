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
  /** Moves it to `key`, quickly: inside a transaction. Durable when this resolves. */
  moveTo(key: string): Promise<void>;
}

export interface ListedObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** When it was stored. */
  readonly changedAt: Date;
}

/**
 * Where complete files are kept. A key is a relative path such as `uploads/projects/7/KEY`; an object is
 * replaced as a whole, and never changed.
 */
export interface ObjectStore {
  /** Stores a local file, which it may move away. Durable when this resolves. */
  put(key: string, file: string): Promise<void>;
  /** Prepares a local file, so that `moveTo` is quick. */
  stage(file: string): Promise<StagedObject>;
  /** Null if there is no object. */
  open(key: string): Promise<ObjectReader | null>;
  /** Bytes; null if there is no object. */
  size(key: string): Promise<number | null>;
  /** Copies an object over another; false if there is none at `from`. */
  copy(from: string, to: string): Promise<boolean>;
  /** Removes an object; a missing one is no error. */
  remove(key: string): Promise<void>;
  /** Removes all objects whose keys start with `prefix`, which ends with a slash. */
  removeAll(prefix: string): Promise<void>;
  /** The objects whose keys start with `prefix`, which ends with a slash, in the order of their keys. */
  list(prefix: string): AsyncIterable<ListedObject>;
  /** Where an administrator finds the object. */
  locationOf(key: string): string;
}

/** Opens the bytes of an object from `start` on; null if there is no object. */
export async function openFrom(objects: ObjectStore, key: string, start = 0) {
  const reader = await objects.open(key);
  if (!reader) return null;
  const size = Math.max(0, reader.size - start);
  return { size, content: reader.stream(Math.min(start, reader.size)) };
}
