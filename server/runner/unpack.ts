import { createWriteStream } from 'node:fs';
import { chmod, lstat, mkdir, rm, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { UnusableJob } from './variables.ts';

const maxEntries = 500_000;
/** Limits of an archive, packed or not. */
export const maxUnpackedBytes = 8 * 1024 ** 3;
const maxLinkLength = 4096;

/**
 * Unpacks a zip into `root`, over existing files. Throws on entries outside of it or through a
 * symbolic link, on anything but files, folders and links, and on archives of more than 8 GiB or
 * half a million entries. Returns the number of entries.
 */
export async function unpack(archive: string, root: string, signal: AbortSignal): Promise<number> {
  const zip = await openPromise(archive, { lazyEntries: true, validateEntrySizes: true });
  let [count, bytes] = [0, 0];
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      count += 1;
      bytes += entry.uncompressedSize;
      if (count > maxEntries || bytes > maxUnpackedBytes) {
        throw new UnusableJob('the archive unpacks to more than the runner accepts');
      }
      await unpackEntry(zip, entry, root, signal);
    }
    return count;
  } finally {
    zip.close();
  }
}

const kindOf = (mode: number) => mode & 0o170000;

async function unpackEntry(
  zip: ZipFile,
  entry: Entry,
  root: string,
  signal: AbortSignal,
): Promise<void> {
  const name = entry.fileName;
  const segments = name.split('/').filter((part) => part !== '' && part !== '.');
  if (name.startsWith('/') || segments.includes('..') || segments.length === 0) refuse(name);
  if (segments[0] === '.git') refuse(name);
  const mode = entry.externalFileAttributes >>> 16;
  const kind = kindOf(mode);
  const isFolder = name.endsWith('/');
  if (![0, 0o100000, 0o120000, 0o040000].includes(kind)) refuse(name);
  await makeFolders(root, isFolder ? segments : segments.slice(0, -1), name);
  if (isFolder) return;
  const path = join(root, ...segments);
  const there = await lstat(path).catch(() => null);
  if (there?.isDirectory()) refuse(name);
  if (there) await rm(path);
  const content = await zip.openReadStreamPromise(entry);
  if (kind === 0o120000) {
    if (entry.uncompressedSize > maxLinkLength) refuse(name);
    await symlink(await text(content), path);
    return;
  }
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  if (mode !== 0) await chmod(path, (mode & 0o777) | 0o600);
  const time = entry.getLastModDate();
  await utimes(path, time, time);
}

/** Creates folders one by one: none may be a symbolic link. */
async function makeFolders(root: string, segments: readonly string[], name: string) {
  let folder = root;
  for (const segment of segments) {
    folder = join(folder, segment);
    const there = await lstat(folder).catch(() => null);
    if (!there) await mkdir(folder);
    else if (!there.isDirectory()) refuse(name);
  }
}

function refuse(name: string): never {
  throw new UnusableJob(`the archive has an entry that is not unpacked: ${name.slice(0, 200)}`);
}
