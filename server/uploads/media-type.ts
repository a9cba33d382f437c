import { type FileHandle, open } from 'node:fs/promises';

/** What a browser shows says what it is well before this. */
const usual = 4100;

/** A TIFF may say so at its end: any picture that may be a portrait is looked at whole. */
const most = 256 * 1024;

/**
 * What the first bytes of an open file say it is, e.g. `image/png`; null when nothing known. The
 * library is loaded at the first file: it is ten megabytes that many processes never need.
 */
export async function mediaTypeOf(file: FileHandle, looked = usual): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type');
  const start = Buffer.alloc(looked);
  const { bytesRead } = await file.read(start, 0, looked, 0);
  const found = await fileTypeFromBuffer(start.subarray(0, bytesRead));
  return found?.mime ?? null;
}

/** The same of the file at `path`, looked at closely. */
export async function mediaTypeAt(path: string): Promise<string | null> {
  const file = await open(path, 'r');
  return mediaTypeOf(file, most).finally(() => file.close());
}
