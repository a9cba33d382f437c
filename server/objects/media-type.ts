import { type FileHandle, open } from 'node:fs/promises';

/** Formats that browsers display can be recognized within this many bytes. */
const defaultBytes = 4100;

/** A TIFF may be recognizable only at its end: avatars are read completely. */
const most = 256 * 1024;

/**
 * The media type that the first bytes of an open file indicate, such as `image/png`; null when
 * unknown. Loads the library at the first file: most processes never need its ten megabytes.
 */
export async function mediaTypeOf(file: FileHandle, looked = defaultBytes): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type');
  const start = Buffer.alloc(looked);
  const { bytesRead } = await file.read(start, 0, looked, 0);
  const type = await fileTypeFromBuffer(start.subarray(0, bytesRead));
  return type?.mime ?? null;
}

/** The same for the file at `path`, read completely. */
export async function mediaTypeAt(path: string): Promise<string | null> {
  const file = await open(path, 'r');
  return mediaTypeOf(file, most).finally(() => file.close());
}
