import { join } from 'node:path';
import type { UploadOwner } from '../../schema/ports/uploads.ts';

const folders = { user: 'users', group: 'groups', project: 'projects' } as const;

/** Keys are of our own making; a path in one would be a fault of ours. */
const keyShape = /^[A-Za-z0-9_-]{1,100}$/;

/** The folder of everything an owner has, below `root`. */
export const ownerFolder = (root: string, { kind, id }: UploadOwner): string =>
  join(root, folders[kind], String(Math.trunc(id)));

/** Where the file of a key lies, below `root`. */
export function uploadPath(root: string, owner: UploadOwner, key: string): string {
  if (!keyShape.test(key)) throw new Error('an upload has a bad key');
  return join(ownerFolder(root, owner), key);
}

/** The folder for what is on its way, below `root`. */
export const incomingRoot = (root: string): string => join(root, 'tmp');
