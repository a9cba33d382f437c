import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { orMissing, readAt } from '../../disk/files.ts';

/** Where an index has the number of its objects: the last of the 256 sums after its 8-byte header. */
const countOffset = 8 + 255 * 4;
const fileName = /^(pack-[0-9a-f]{40})\.(\w+)$/;

/** A pack with an index. */
export interface Pack {
  /** Without an extension. */
  readonly name: string;
  /** Of its files: `pack`, `idx`, `bitmap` … */
  readonly extensions: ReadonlySet<string>;
  readonly objects: number;
}

export const packFolder = (folder: string): string => join(folder, 'objects', 'pack');

export const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await orMissing(readdir(folder))) ?? [];

/** The paths of the loose objects of a repository. */
export async function looseObjectFiles(folder: string): Promise<readonly string[]> {
  const objects = join(folder, 'objects');
  const folders = (await namesIn(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const files = await Promise.all(
    folders.map(async (first) => {
      const names = await namesIn(join(objects, first));
      const objectNames = names.filter((name) => /^[0-9a-f]{38}$/.test(name));
      return objectNames.map((name) => join(objects, first, name));
    }),
  );
  return files.flat();
}

/** The packs of a repository; one that a concurrent repack has replaced has no objects. */
export async function packsIn(folder: string): Promise<readonly Pack[]> {
  const packs = new Map<string, Set<string>>();
  for (const file of await namesIn(packFolder(folder))) {
    const [, name = '', extension = ''] = fileName.exec(file) ?? [];
    const extensions = packs.get(name) ?? new Set();
    if (name !== '') packs.set(name, extensions.add(extension));
  }
  const complete = [...packs].filter(([, extensions]) => extensions.has('idx'));
  return Promise.all(
    complete.map(async ([name, extensions]) => ({
      name,
      extensions,
      objects: await objectsIn(join(packFolder(folder), `${name}.idx`)),
    })),
  );
}

async function objectsIn(index: string): Promise<number> {
  const file = await orMissing(open(index));
  if (!file) return 0;
  try {
    const bytes = await readAt(file, countOffset, 4);
    return bytes.length < 4 ? 0 : bytes.readUInt32BE();
  } finally {
    await file.close();
  }
}
