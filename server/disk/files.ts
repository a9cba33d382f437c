import { open } from 'node:fs/promises';

/** Syncs a file or a folder to the disk: a rename is only durable once the folder is synced. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

/** The result of a file operation; null when the file does not exist. */
export function orMissing<T>(operation: Promise<T>): Promise<T | null> {
  return operation.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    return null;
  });
}
