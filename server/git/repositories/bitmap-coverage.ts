import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where an index has the number of its objects: the last of the 256 sums after its 8-byte header. */
const countOffset = 8 + 255 * 4;

/** The number of packed objects that no reachability bitmap covers. */
export async function objectsWithoutBitmap(folder: string): Promise<number> {
  const packs = join(folder, 'objects', 'pack');
  const names = new Set(await readdir(packs));
  let sum = 0;
  for (const name of names) {
    const isCovered = names.has(name.replace(/\.idx$/, '.bitmap'));
    if (name.endsWith('.idx') && !isCovered) sum += await objectsIn(join(packs, name));
  }
  return sum;
}

async function objectsIn(index: string): Promise<number> {
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
