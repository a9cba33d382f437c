import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
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
  const write = async <T>(work: () => Promise<T>): Promise<T> => {
    made ??= make();
    await made.catch((error) => {
      made = null;
      throw error;
    });
    return work();
  };

  return {
    receive: (name, content) =>
      write(async () => {
        const path = join(folder, randomUUID());
        const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
        try {
          await pipeline(content, file);
        } catch (error) {
          // it may still be opened, which makes it
          if (!file.closed)
            await new Promise<void>((resolve) => file.once('close', () => resolve()));
          await rm(path, { force: true });
          throw error;
        }
        return receivedFile({ name, size: file.bytesWritten, path });
      }),
    discard: ({ path }) => rm(path, { force: true }),
    mark: (owner, key) =>
      write(async () => {
        const path = join(folder, `${owner.kind}.${owner.id}.${key}`);
        await writeFile(path, '', { flag: 'wx' });
        return () => rm(path, { force: true });
      }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
