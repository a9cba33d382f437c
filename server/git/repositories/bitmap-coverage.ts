import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where an index has the number of its objects: the last of the 256 sums after its 8-byte header. */
const countOffset = 8 + 255 * 4;

/** The number of packed objects that no reachability bitmap covers, without unreachable ones in a pack of their own. */
export async function objectsWithoutBitmap(folder: string): Promise<number> {
  const packs = join(folder, 'objects', 'pack');
  const names = new Set(await readdir(packs));
  let sum = 0;
  for (const name of names) {
    const has = (extension: string) => names.has(name.replace(/\.idx$/, extension));
    const isCovered = has('.bitmap') || has('.mtimes');
    if (name.endsWith('.idx') && !isCovered) sum += await objectsIn(join(packs, name));
  }
  return sum;
}

/** The number of objects in the pack of an index. */
export async function objectsIn(index: string): Promise<number> {
  const file = await open(index).catch(() => null);
  // a concurrent repack has replaced it
  if (!file) return 0;
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, countOffset);
    return buffer.readUInt32BE();
  } finally {
    await file.close();
  }
}
