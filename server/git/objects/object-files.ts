import { randomBytes } from 'node:crypto';
import { promises as files } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PromiseFsClient } from 'isomorphic-git';
import { RepositoryFailure } from '../../../schema/kernel/outage.ts';
import { syncPath, writeSynced } from '../../disk/files.ts';

const looseObjectPath = /[/\\]objects[/\\][0-9a-f]{2}[/\\][0-9a-f]{38}$/;

/**
 * The file system that isomorphic-git writes objects through. It would write in place and skip
 * existing files, so a kill could leave a damaged object for ever. This one writes to a temporary
 * file, syncs and renames it, and always rewrites, which protects an object from imminent pruning
 * (house.md 15).
 */
export const objectFiles: PromiseFsClient = {
  promises: {
    ...files,
    stat: (path: string) => (looseObjectPath.test(path) ? missing(path) : files.stat(path)),
    lstat: (path: string) => (looseObjectPath.test(path) ? missing(path) : files.lstat(path)),
    writeFile: async (path: string, content: Uint8Array) => {
      if (!looseObjectPath.test(path)) return refuse(path);
      await writeObjectFile(path, content);
      await syncPath(dirname(path));
    },
  },
};

/**
 * Writes an object's file; it is durable once its folder is synced too. Throws if the repository is
 * missing: one that was removed or moved must not reappear in part.
 */
export async function writeObjectFile(path: string, content: Uint8Array): Promise<void> {
  // git's own name for temporary objects: git removes those left by a kill
  const temporary = join(dirname(dirname(path)), `tmp_obj_${randomBytes(8).toString('hex')}`);
  try {
    await writeSynced(temporary, content, 0o444);
    await moveObject(temporary, path, 5);
  } catch (error) {
    await files.rm(temporary, { force: true });
    throw missingRepository(error as NodeJS.ErrnoException);
  }
}

/** Git removes the folder when it is empty, as after packing: it may do so between the two steps here. */
async function moveObject(temporary: string, path: string, attempts: number): Promise<void> {
  await files.mkdir(dirname(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await files.rename(temporary, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || attempts === 1) throw error;
    return moveObject(temporary, path, attempts - 1);
  });
}

const missingRepository = (error: NodeJS.ErrnoException): Error =>
  error.code === 'ENOENT' ? new RepositoryFailure(error.message) : error;

function missing(path: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(`${path} is always written`), { code: 'ENOENT' }));
}

/** Only git updates references. */
function refuse(path: string): Promise<never> {
  return Promise.reject(new Error(`${path} is no object`));
}
