import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ReceivedFile, receivedFile } from '../../schema/kernel/received-file.ts';
import type { UploadOwner } from '../../schema/ports/uploads.ts';
import { thisMaker } from '../git/maker.ts';
import { incomingRoot } from './place.ts';

/** Where it stands in each process's folder which process that is. */
export const makerFile = 'maker';

/** Files on their way, in a folder of this process: another start can tell whether it is still used. */
export interface Incoming {
  /** Writes a file to the disk as it comes; when that fails nothing of it remains. */
  receive(name: string, content: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  /** Removes what was received and not kept. */
  discard(file: ReceivedFile): Promise<void>;
  /** Notes that a file is about to be kept before its record exists; gives the eraser of the note. */
  mark(owner: UploadOwner, key: string): Promise<() => Promise<void>>;
  /** Removes the folder; nothing may be on its way any more. */
  close(): Promise<void>;
}

/** A folder for what is received, below `root`; made when it is needed. */
export function incomingFiles(root: string): Incoming {
  const folder = join(incomingRoot(root), randomUUID());
  let made: Promise<void> | null = null;

  const make = async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, makerFile), await thisMaker());
  };
  const ready = () => {
    made ??= make().catch((error) => {
      made = null;
      throw error;
    });
    return made;
  };
  /** Opens a new file; the folder may have been taken for one that was left, and is made again. */
  const create = async (name: string) => {
    const path = join(folder, name);
    const tryIt = () => ready().then(() => open(path, 'wx', 0o600));
    const file = await tryIt().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      made = null;
      return tryIt();
    });
    return { path, file };
  };

  return {
    receive: async (name, content) => {
      const { path, file } = await create(randomUUID());
      const stream = file.createWriteStream();
      try {
        await pipeline(content, stream);
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
      return receivedFile({ name, size: stream.bytesWritten, path });
    },
    discard: ({ path }) => rm(path, { force: true }),
    mark: async (owner, key) => {
      const { path, file } = await create(`${owner.kind}.${owner.id}.${key}`);
      await file.close();
      return () => rm(path, { force: true });
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
