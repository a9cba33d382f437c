import { open } from 'node:fs/promises';
import { readAt } from '../disk/files.ts';
import type { ObjectReader } from './object-store.ts';

/** Formats that browsers display can be recognized within this many bytes. */
const defaultBytes = 4100;

/** A TIFF may be recognizable only at its end: avatars are read completely. */
const most = 256 * 1024;

/**
 * The media type that the first bytes indicate, such as `image/png`; null when unknown. Loads the
 * library at the first file: most processes never need its ten megabytes.
 */
export async function mediaTypeOf(
  read: ObjectReader['read'],
  looked = defaultBytes,
): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(await read(0, looked));
  return type?.mime ?? null;
}

/** The same for the file at `path`, read completely. */
export async function mediaTypeAt(path: string): Promise<string | null> {
  const file = await open(path, 'r');
  const read = (position: number, length: number) => readAt(file, position, length);
  return mediaTypeOf(read, most).finally(() => file.close());
}
