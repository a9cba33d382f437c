import { join } from 'node:path';
import type { UploadOwner } from '../../schema/ports/uploads.ts';

/** What the keys of all uploads start with. */
export const uploadsPrefix = 'uploads/';

/** The folder of all uploads. */
export const uploadsRoot = (dataFolder: string): string => join(dataFolder, 'uploads');

const folders = { user: 'users', group: 'groups', project: 'projects' } as const;

/** We generate the keys; a path in one would be a bug. */
const keyShape = /^[A-Za-z0-9_-]{1,100}$/;

/** What the keys of all objects of an owner start with. */
export const ownerPrefix = ({ kind, id }: UploadOwner): string =>
  `${uploadsPrefix}${folders[kind]}/${Math.trunc(id)}/`;

/** The key of the object with an upload's key. */
export function uploadKey(owner: UploadOwner, key: string): string {
  if (!keyShape.test(key)) throw new Error('an upload has a bad key');
  return `${ownerPrefix(owner)}${key}`;
}

const incoming = 'tmp';

/** The folder for uploads in progress, below `root`. */
export const incomingRoot = (root: string): string => join(root, incoming);

/** Whether a name directly below a root is that of this folder. */
export const isIncoming = (name: string): boolean => name === incoming;
