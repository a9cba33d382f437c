import { join } from 'node:path';
import { isOid } from '../../schema/lfs/oid.ts';

/** What the keys of all objects start with. */
export const lfsPrefix = 'lfs/';

/** The folder of all objects, which also receives uploads. */
export const lfsRoot = (dataFolder: string): string => join(dataFolder, 'lfs');

/** The key of the object with an id: two levels of folders, so that none has too many entries. */
export function lfsKey(oid: string): string {
  if (!isOid(oid)) throw new Error('an LFS object has a bad id');
  return `${lfsPrefix}${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid.slice(4)}`;
}

const keyShape = /^lfs\/([0-9a-f]{2})\/([0-9a-f]{2})\/([0-9a-f]{60})$/;

/** The id of the object with a key; null for other keys. */
export function oidOfKey(key: string): string | null {
  const match = keyShape.exec(key);
  return match?.slice(1).join('') ?? null;
}
