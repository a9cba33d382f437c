import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileTypeFromFile } from 'file-type';
import type { UploadOwner, UploadStore } from '../../schema/ports/uploads.ts';

const folders = { user: 'users', group: 'groups', project: 'projects' } as const;

/** Keys are of our own making; a path in one would be a fault of ours. */
const keyShape = /^[A-Za-z0-9_-]{1,100}$/;

/** Files below `root`, a folder for each owner. */
export function uploadStore(root: string): UploadStore {
  const folderOf = ({ kind, id }: UploadOwner) => join(root, folders[kind], String(Math.trunc(id)));
  const pathOf = (owner: UploadOwner, key: string) => {
    if (!keyShape.test(key)) throw new Error('an upload has a bad key');
    return join(folderOf(owner), key);
  };
  return {
    keep: async (owner, key, file) => {
      const path = pathOf(owner, key);
      await mkdir(dirname(path), { recursive: true });
      const beside = `${path}.${randomUUID()}`;
      try {
        await copyFile(file.path, beside);
        await flush(beside);
        await rename(beside, path);
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
      await flush(dirname(path));
    },
    open: async (owner, key) => {
      const path = pathOf(owner, key);
      const found = await stat(path).catch(() => null);
      return found && { size: found.size, stream: createReadStream(path) };
    },
    remove: (owner, key) => rm(pathOf(owner, key), { force: true }),
    removeAll: (owner) => rm(folderOf(owner), { recursive: true, force: true }),
    mediaType: async ({ path }) => (await fileTypeFromFile(path))?.mime ?? null,
  };
}

/** What a rename promises holds only for what is on the disk. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
