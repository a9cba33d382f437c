import { type FileHandle, open } from 'node:fs/promises';
import pLimit from 'p-limit';

/**
 * Node has four threads for files, compression and names of hosts, the server eight (`serve.ts`). A disk may take
 * seconds for each sync: the other threads serve those who write nothing.
 */
const syncTurns = pLimit(3);

/** Syncs a file or a folder to the disk: a rename is only durable once the folder is synced. */
export const syncPath = (path: string): Promise<void> =>
  syncTurns(async () => {
    const handle = await open(path, 'r');
    await handle.sync().finally(() => handle.close());
  });

/** Creates a file that is on the disk when the promise resolves; throws if it exists. */
export async function writeSynced(path: string, content: Uint8Array, mode: number): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.writeFile(content);
    await syncTurns(() => handle.sync());
  } finally {
    await handle.close();
  }
}

/** The result of a file operation; null when the file does not exist. */
export function orMissing<T>(operation: Promise<T>): Promise<T | null> {
  return operation.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    return null;
  });
}

/** Reads up to `length` bytes of a file from `position` on; fewer at its end. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}
