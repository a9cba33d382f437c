import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { maxEntrySize } from './format.ts';

/** An entry of the archive, whose content is in memory. */
export interface Entry {
  readonly name: string;
  readonly content: Buffer;
}

const blockSize = 512;

/** A tar archive ends with two blocks of zeros. */
const endSize = 2 * blockSize;

const fields = {
  name: [0, 100],
  size: [124, 136],
  checksum: [148, 156],
  prefix: [345, 500],
} as const;
const typeAt = 156;

const textIn = (header: Buffer, [start, end]: readonly [number, number]): string => {
  const field = header.subarray(start, end);
  const zero = field.indexOf(0);
  return field.subarray(0, zero < 0 ? field.length : zero).toString();
};

const numberIn = (header: Buffer, field: readonly [number, number]): number | null => {
  const text = textIn(header, field).trim();
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : null;
};

const paddingOf = (size: number) => (blockSize - (size % blockSize)) % blockSize;

const isZero = (bytes: Buffer) => bytes.every((byte) => byte === 0);

interface Header {
  /** A file, or the long name of the file that follows (`x` of POSIX). */
  readonly isName: boolean;
  readonly name: string;
  readonly size: number;
}

/** The header in a block; null if it is damaged, or of a kind that no Millrace has written. */
function headerOf(block: Buffer): Header | null {
  const [start, end] = fields.checksum;
  const sum = block.reduce((total, byte, at) => total + (at < start || at >= end ? byte : 32), 0);
  const size = numberIn(block, fields.size);
  if (numberIn(block, fields.checksum) !== sum || size === null) return null;
  const type = String.fromCharCode(block[typeAt] ?? 0);
  if (!['\0', '0', 'x'].includes(type)) return null;
  const name = [textIn(block, fields.prefix), textIn(block, fields.name)];
  return { isName: type === 'x', size, name: name.filter((part) => part !== '').join('/') };
}

/** The path in the content of an `x` entry: lines such as `27 path=uploads/…`. */
const longName = (content: Buffer): string | null =>
  /^\d+ path=([^\n]+)\n$/.exec(content.toString())?.[1] ?? null;

/** What is wrong with an archive, and where. */
export class ArchiveDamage extends Error {
  /** Such as `is empty`. */
  readonly fault: string;
  /** Whether it is inside an entry, whose header is right. */
  readonly isInside: boolean;

  constructor(archive: string, fault: string, isInside = false) {
    super(`${archive} ${fault}`);
    this.fault = fault;
    this.isInside = isInside;
  }
}

/**
 * The entries of an archive, each byte of which is part of an entry or zero. Throws `ArchiveDamage` at the first
 * that is not, with its position.
 */
export async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const handle = await openArchive(path);
  try {
    yield* entriesIn(handle, basename(path));
  } finally {
    await handle.close();
  }
}

async function openArchive(path: string): Promise<FileHandle> {
  const handle = await open(path, 'r');
  const stats = await handle.stat();
  if (stats.isFile()) return handle;
  await handle.close();
  throw new Error(`${path} is ${stats.isDirectory() ? 'a folder' : 'no file'}: name a backup.`);
}

async function* entriesIn(handle: FileHandle, archive: string): AsyncGenerator<Entry> {
  const { size: length } = await handle.stat();
  if (length === 0) throw new ArchiveDamage(archive, 'is empty');
  let last = '';
  let at = 0;
  const place = () => (last === '' ? 'at its beginning' : `after ${last}`);
  const damaged = (what: string) =>
    new ArchiveDamage(archive, `is damaged at byte ${at}, ${place()}: ${what}`);
  const read = async (size: number, inside?: string): Promise<Buffer> => {
    if (at + size > length) {
      const where = inside === undefined ? place() : `inside ${inside}`;
      const fault = `is truncated: it ends at byte ${length}, ${where}`;
      throw new ArchiveDamage(archive, fault, inside !== undefined);
    }
    const bytes = Buffer.alloc(size);
    for (let filled = 0; filled < size; ) {
      const { bytesRead } = await handle.read(bytes, filled, size - filled, at + filled);
      if (bytesRead === 0) throw damaged('the file became shorter');
      filled += bytesRead;
    }
    at += size;
    return bytes;
  };
  const readContent = async ({ name, size }: Header): Promise<Buffer> => {
    if (size > maxEntrySize) throw damaged(`${name} is larger than an entry can be`);
    const content = await read(size, name);
    if (!isZero(await read(paddingOf(size), name)))
      throw damaged(`the space after ${name} is not empty`);
    return content;
  };
  for (let name: string | null = null; ; ) {
    const block = await read(blockSize);
    if (isZero(block)) break;
    const header = headerOf(block);
    if (!header) {
      at -= blockSize;
      throw damaged('there is no entry of a backup');
    }
    const content = await readContent(header);
    if (header.isName) {
      name = longName(content);
      if (name === null) throw damaged('the name of the next entry cannot be read');
      continue;
    }
    last = name ?? header.name;
    name = null;
    yield { name: last, content };
  }
  await read(endSize - blockSize);
  // programs that copy archives may add zeros
  for (at -= endSize - blockSize; at < length; ) {
    const rest = await read(Math.min(2 ** 20, length - at));
    if (!isZero(rest)) throw damaged('something follows the end of the backup');
  }
}
