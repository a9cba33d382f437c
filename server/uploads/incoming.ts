import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type ReceivedFile, receivedFile } from '../../schema/kernel/received-file.ts';
import type { UploadOwner } from '../../schema/ports/uploads.ts';
import { thisProcessIdentity } from '../git/process/process-identity.ts';
import { incomingRoot } from './paths.ts';

/** A file in each process's folder that identifies the process. */
export const makerFile = 'maker';

/** The mark of a file that is about to be stored. */
export interface Mark {
  /** Call once the record exists, or certainly does not. */
  erase(): Promise<void>;
  /** Call when a lost connection leaves open whether the record exists. */
  leave(): Promise<void>;
}

/**
 * After a failure: takes the file back and erases its mark. Leaves the mark if the record may exist, or if
 * the store fails as well.
 */
export async function settleFailure(
  mark: Mark,
  isUnknown: boolean,
  takeBack: () => Promise<void>,
): Promise<void> {
  const isTakenBack =
    !isUnknown &&
    (await takeBack().then(
      () => true,
      () => false,
    ));
  await (isTakenBack ? mark.erase() : mark.leave());
}

/** Settles a file whose mark is left. */
export type SettleMark = (owner: UploadOwner, key: string) => Promise<void>;

const unknownPrefix = 'unknown.';
const markShape = /^(?:unknown\.)?(user|group|project)\.(\d+)\.([A-Za-z0-9_-]+)$/;

/** The owner and key that a mark names; null for other files. */
export function readMark(
  name: string,
): { readonly owner: UploadOwner; readonly key: string } | null {
  const [, kind, id, key = ''] = markShape.exec(name) ?? [];
  return kind ? { owner: { kind: kind as UploadOwner['kind'], id: Number(id) }, key } : null;
}

const markName = ({ kind, id }: UploadOwner, key: string) => `${kind}.${id}.${key}`;

export type Incoming = ReturnType<typeof incomingFiles>;

/**
 * Received files below `root`, in a folder of this process, so that another process can tell
 * whether it is in use; created when needed.
 */
export function incomingFiles(root: string) {
  const folder = join(incomingRoot(root), randomUUID());
  let created: Promise<void> | null = null;

  const make = async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, makerFile), await thisProcessIdentity());
  };
  const ready = () => {
    created ??= make().catch((error) => {
      created = null;
      throw error;
    });
    return created;
  };
  /** Creates a file; recreates the folder if another process deleted it as abandoned. */
  const create = async (name: string) => {
    const path = join(folder, name);
    const tryIt = () => ready().then(() => open(path, 'wx', 0o600));
    const file = await tryIt().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      created = null;
      return tryIt();
    });
    return { path, file };
  };

  return {
    /** Streams a file to the disk; a failure leaves nothing. */
    receive: async (name: string, content: AsyncIterable<Uint8Array>): Promise<ReceivedFile> => {
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
    /** Deletes a received file that was not stored. */
    discard: ({ path }: ReceivedFile): Promise<void> => rm(path, { force: true }),
    /** Marks a file that is about to be stored before its record exists. */
    mark: async (owner: UploadOwner, key: string): Promise<Mark> => {
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
    /** Marks a file whose record is in doubt; `settleUnknown` settles it. */
    doubt: async (owner: UploadOwner, key: string): Promise<void> => {
      await ready();
      await writeFile(join(folder, unknownPrefix + markName(owner, key)), '');
    },
    /** Runs `settle` for each file in doubt since before a time, and deletes its mark. */
    settleUnknown: async (settle: SettleMark, before: Date): Promise<void> => {
      const names = created ? await readdir(folder) : [];
      const failures: unknown[] = [];
      for (const name of names.filter((each) => each.startsWith(unknownPrefix))) {
        const path = join(folder, name);
        const mark = readMark(name);
        if (!mark || (await stat(path)).mtime >= before) continue;
        await settle(mark.owner, mark.key)
          .then(() => rm(path, { force: true }))
          .catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
    /** Deletes the folder, unless it has marks of files in doubt; no upload may be in progress. */
    close: async (): Promise<void> => {
      const names = created ? await readdir(folder) : [];
      // the next start settles what is left
      if (names.some((name) => name.startsWith(unknownPrefix))) return;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
