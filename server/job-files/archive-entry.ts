import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { ObjectsUnavailable } from '../../schema/kernel/outage.ts';
import type { OpenedFile } from '../../schema/ports/job-files.ts';
import type { ObjectReader } from '../objects/object-store.ts';
import { windowReader } from './window-reader.ts';

/** Archives with more entries than this are not searched. */
const maxEntries = 200_000;

/** Maximum declared uncompressed size of a file, in bytes. */
const maxDeclaredBytes = 2 ** 30;

/**
 * Streams the file `path` from an archive, decompressed without touching the disk. The
 * stream fails when the content does not match the archive's directory, and never yields more than
 * the declared size. Null when there is no such file, no archive, or the entry cannot be
 * decompressed.
 */
export async function openEntry(
  openArchive: () => Promise<ObjectReader | null>,
  path: string,
): Promise<OpenedFile | null> {
  if (!isPlain(path)) return null;
  // names are decoded below: one invalid name would make the library fail
  const options = { autoClose: false, decodeStrings: false, lazyEntries: true } as const;
  const opened = await openArchive();
  if (!opened) return null;
  const { size } = opened;
  const reader = windowReader(opened);
  const archive = await fromRandomAccessReaderPromise(reader, size, options).catch((error) => {
    // the library does not close a file that is not an archive
    reader.close(() => undefined);
    return refuseForeign(error);
  });
  if (!archive) return null;
  let content: Readable | null = null;
  try {
    const entry = await find(archive, Buffer.from(path));
    if (!entry || !isReadable(entry)) return null;
    content = await archive.openReadStreamPromise(entry);
    content.once('close', () => archive.close());
    // most damage shows at once
    if (entry.uncompressedSize > 0) await once(content, 'readable');
    return { size: entry.uncompressedSize, content };
  } catch (error) {
    content?.destroy();
    return refuseForeign(error);
  } finally {
    if (!content) archive.close();
  }
}

/** An invalid path names no entry, even if the archive has an entry with that name. */
const isPlain = (path: string): boolean =>
  path !== '' && path.split('/').every((part) => !['', '.', '..'].includes(part));

const isReadable = (entry: Entry): boolean =>
  entry.canDecodeFileData() && !entry.isEncrypted() && entry.uncompressedSize <= maxDeclaredBytes;

async function find(archive: ZipFile, name: Buffer): Promise<Entry | null> {
  if (archive.entryCount > maxEntries) return null;
  for await (const entry of archive.eachEntry()) {
    if (name.equals(nameOf(entry))) return entry;
  }
  return null;
}

/** Some programs write `./a` for `a`. */
function nameOf({ fileNameRaw }: Entry): Buffer {
  const isDotted = fileNameRaw[0] === 0x2e && fileNameRaw[1] === 0x2f;
  return isDotted ? fileNameRaw.subarray(2) : fileNameRaw;
}

/** The library's errors about a damaged archive have no code; those of a disk have one. */
function refuseForeign(error: unknown): null {
  if (error instanceof ObjectsUnavailable) throw error;
  if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
  return null;
}
