import { packsIn } from './pack-files.ts';

/** The number of packed objects that no reachability bitmap covers, without packs of unreachable ones. */
export async function objectsWithoutBitmap(folder: string): Promise<number> {
  const packs = await packsIn(folder);
  return packs
    .filter(({ extensions }) => !extensions.has('bitmap') && !extensions.has('mtimes'))
    .reduce((sum, { objects }) => sum + objects, 0);
}
