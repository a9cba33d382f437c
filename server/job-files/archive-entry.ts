import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import type { OpenedFile } from '../../schema/ports/job-files.ts';
import { windowReader } from './window-reader.ts';

/** Archives that list more than this are not looked through. */
const mostEntries = 200_000;

/** Bytes that one file may say it unpacks to. */
const largest = 2 ** 30;

/**
 * The file called `path` in the archive at `place`, unpacked while it is read; its content fails when
 * it is not what the archive says of it, and never gives more bytes than that. Null when there is
 * none, no archive, or nothing that can be unpacked. Nothing of it touches the disk.
 */
export async function openEntry(place: string, path: string): Promise<OpenedFile | null> {
  if (!isPlain(path)) return null;
  // names are read below: by the library one bad name would spoil all others
  const options = { autoClose: false, decodeStrings: false, lazyEntries: true } as const;
  const opened = await windowReader(place);
  if (!opened) return null;
  const { reader, size } = opened;
  const archive = await fromRandomAccessReaderPromise(reader, size, options).catch((error) => {
    // of what is no archive the library does not let go by itself
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
    // what cannot be unpacked mostly shows at once
    if (entry.uncompressedSize > 0) await once(content, 'readable');
    return { size: entry.uncompressedSize, content };
  } catch (error) {
    content?.destroy();
    return refuseForeign(error);
  } finally {
    if (!content) archive.close();
  }
}

/** What is no path inside an archive names nothing, also where the archive calls a file so. */
const isPlain = (path: string): boolean =>
  path !== '' && path.split('/').every((part) => !['', '.', '..'].includes(part));

const isReadable = (entry: Entry): boolean =>
  entry.canDecodeFileData() && !entry.isEncrypted() && entry.uncompressedSize <= largest;

async function find(archive: ZipFile, name: Buffer): Promise<Entry | null> {
  if (archive.entryCount > mostEntries) return null;
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

/** What the library says of a file that is no sound archive; faults of the disk have a code. */
function refuseForeign(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
  return null;
}
