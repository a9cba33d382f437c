import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ReceivedFile, receivedFile } from '../../schema/kernel/received-file.ts';
import type { UploadOwner } from '../../schema/ports/uploads.ts';
import { thisProcessIdentity } from '../git/process/process-identity.ts';
import { incomingRoot } from './paths.ts';

/** Where it stands in each process's folder which process that is. */
export const makerFile = 'maker';

/** The note that a file is about to be kept. */
export interface Mark {
  /** Once the record is there, or surely is not. */
  erase(): Promise<void>;
  /** When a lost connection leaves open whether the record is there. */
  leave(): Promise<void>;
}

/** Puts right what a mark was left of. */
export type SettleMark = (owner: UploadOwner, key: string) => Promise<void>;

const unknownPrefix = 'unknown.';
const markShape = /^(?:unknown\.)?(user|group|project)\.(\d+)\.([A-Za-z0-9_-]+)$/;

/** Whose file a mark names, and its key; null for a file that is no mark. */
export function readMark(
  name: string,
): { readonly owner: UploadOwner; readonly key: string } | null {
  const [, kind, id, key = ''] = markShape.exec(name) ?? [];
  return kind ? { owner: { kind: kind as UploadOwner['kind'], id: Number(id) }, key } : null;
}

const markName = ({ kind, id }: UploadOwner, key: string) => `${kind}.${id}.${key}`;

/** Files on their way, in a folder of this process: another start can tell whether it is still used. */
export interface Incoming {
  /** Writes a file to the disk as it comes; when that fails nothing of it remains. */
  receive(name: string, content: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  /** Removes what was received and not kept. */
  discard(file: ReceivedFile): Promise<void>;
  /** Notes that a file is about to be kept before its record exists. */
  mark(owner: UploadOwner, key: string): Promise<Mark>;
  /** Notes that it is unknown whether a file has a record; `settleUnknown` finds out. */
  doubt(owner: UploadOwner, key: string): Promise<void>;
  /** Runs `settle` for each file noted as unknown before a time, and erases its note. */
  settleUnknown(settle: SettleMark, before: Date): Promise<void>;
  /** Removes the folder, unless it holds unknown marks; nothing may be on its way any more. */
  close(): Promise<void>;
}

/** A folder for what is received, below `root`; made when it is needed. */
export function incomingFiles(root: string): Incoming {
  const folder = join(incomingRoot(root), randomUUID());
  let made: Promise<void> | null = null;

  const make = async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, makerFile), await thisProcessIdentity());
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
      const name = markName(owner, key);
      const { path, file } = await create(name);
      await file.close();
      return {
        erase: () => rm(path, { force: true }),
        leave: async () => {
          const now = new Date();
          await utimes(path, now, now);
          await rename(path, join(folder, unknownPrefix + name));
        },
      };
    },
    doubt: async (owner, key) => {
      await ready();
      await writeFile(join(folder, unknownPrefix + markName(owner, key)), '');
    },
    settleUnknown: async (settle, before) => {
      const names = made ? await readdir(folder) : [];
      for (const name of names.filter((each) => each.startsWith(unknownPrefix))) {
        const path = join(folder, name);
        const mark = readMark(name);
        if (!mark || (await stat(path)).mtime >= before) continue;
        await settle(mark.owner, mark.key);
        await rm(path, { force: true });
      }
    },
    close: async () => {
      const names = made ? await readdir(folder) : [];
      // the next start settles what is left then
      if (names.some((name) => name.startsWith(unknownPrefix))) return;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
