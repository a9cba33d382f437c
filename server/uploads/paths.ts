import { join } from 'node:path';
import type { UploadOwner } from '../../schema/ports/uploads.ts';

/** The folder of all uploads. */
export const uploadsRoot = (dataFolder: string): string => join(dataFolder, 'uploads');

const folders = { user: 'users', group: 'groups', project: 'projects' } as const;

/** We generate the keys; a path in one would be a bug. */
const keyShape = /^[A-Za-z0-9_-]{1,100}$/;

/** The folder of all files of an owner, below `root`. */
export const ownerFolder = (root: string, { kind, id }: UploadOwner): string =>
  join(root, folders[kind], String(Math.trunc(id)));

/** The path of the file with a key, below `root`. */
export function uploadPath(root: string, owner: UploadOwner, key: string): string {
  if (!keyShape.test(key)) throw new Error('an upload has a bad key');
  return join(ownerFolder(root, owner), key);
}

const incoming = 'tmp';

/** The folder for uploads in progress, below `root`. */
export const incomingRoot = (root: string): string => join(root, incoming);

/** Whether a name directly below a root is that of this folder. */
export const isIncoming = (name: string): boolean => name === incoming;
